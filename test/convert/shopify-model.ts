import fc from 'fast-check';

/** What was sold, paid, edited and refunded, in cents. */
export interface ShopifyModel {
  taxesIncluded: boolean;
  lines: {
    price: number;
    /** Units that were paid, and those that an edit removed before. */
    sold: number;
    removed: number;
    unitDiscount: number;
    unitTax: number;
    isGiftCard: boolean;
  }[];
  orderDiscount: number;
  shipping: { price: number; discount: number; tax: number };
  tips: number;
  duties: number;
  rounding: number;
  /** Cash that was rounded when it was paid back, and what an edit added that is not paid. */
  refundRounding: number;
  open: number;
  /**
   * Units by line. In an exchange less money goes back than they are worth, in hundredths of it (0 in an even one and in one for
   * something dearer); else all of it, with goodwill, less a kept fee, maybe in the currency of the buyer.
   */
  refunds: {
    units: number[];
    shipping: boolean;
    exchange: number | undefined;
    goodwill: number;
    kept: number;
    isForeign: boolean;
  }[];
}

/** Id, money, tax and shipping that went back, and its lines. */
export type RefundFigures = [id: string, total: string, tax: string, shipping: string, lines: string[]];

const cents = (max: number) => fc.integer({ min: 0, max });
const line = fc.record({
  price: fc.integer({ min: 200, max: 1_000_000 }),
  sold: fc.integer({ min: 1, max: 6 }),
  removed: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
  unitDiscount: cents(150),
  unitTax: cents(400),
  isGiftCard: fc.boolean(),
});

export const shopifyModel: fc.Arbitrary<ShopifyModel> = fc.record({
  taxesIncluded: fc.boolean(),
  // The last line is always one of goods.
  lines: fc
    .tuple(fc.array(line, { maxLength: 4 }), line)
    .map(([some, last]) =>
      [...some, { ...last, isGiftCard: false }].map((one) =>
        one.isGiftCard ? { ...one, removed: 0, unitTax: 0, unitDiscount: 0 } : one,
      ),
    ),
  orderDiscount: cents(50),
  shipping: fc.record({ price: fc.integer({ min: 100, max: 900 }), discount: cents(100), tax: cents(90) }),
  tips: cents(500),
  duties: cents(500),
  rounding: fc.integer({ min: -2, max: 2 }),
  refundRounding: fc.integer({ min: -2, max: 2 }),
  open: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 5_000 })),
  refunds: fc.array(
    fc.record({
      units: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 5, maxLength: 5 }),
      shipping: fc.boolean(),
      exchange: fc.oneof(fc.constant(undefined), fc.constant(0), fc.integer({ min: 1, max: 100 })),
      goodwill: fc.oneof(fc.constant(0), cents(20)),
      kept: fc.oneof(fc.constant(0), cents(30)),
      isForeign: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
});

export const text = (amount: number): string => {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
export const sum = (amounts: number[]): number => amounts.reduce((a, b) => a + b, 0);

/** The order as the REST API tells it, and the figures of its item. */
export function shopifyOrder(model: ShopifyModel) {
  const { lines, taxesIncluded, shipping, tips, duties, rounding, orderDiscount } = model;
  const set = (amount: number) => ({ shop_money: { amount: text(amount), currency_code: 'EUR' } });
  const added = (tax: number): number => (taxesIncluded ? 0 : tax);
  const unit = (i: number): number => {
    const { price = 0, unitDiscount = 0, unitTax = 0 } = lines[i] ?? {};
    return price - unitDiscount + added(unitTax);
  };
  const left = lines.map(({ sold }) => sold);
  let hasShipping = true;
  const refunds = model.refunds.map(({ units, shipping: alsoShipping, exchange, goodwill, kept, isForeign }, id) => {
    const back = lines.map((_, i) => Math.min(units[i] ?? 0, left[i] ?? 0));
    back.forEach((count, i) => (left[i] = (left[i] ?? 0) - count));
    const isShipped = alsoShipping && hasShipping;
    if (isShipped) hasShipping = false;
    const ofShipping = isShipped ? shipping.price - shipping.discount : 0;
    const shippingTax = isShipped ? shipping.tax : 0;
    const hasLines = back.some((count) => count > 0);
    const isExchange = exchange !== undefined && hasLines;
    const ofCards = sum(back.map((count, i) => (lines[i]?.isGiftCard === true ? count * unit(i) : 0)));
    const value = sum(back.map((count, i) => count * unit(i))) + ofShipping + added(shippingTax);
    const tax = sum(back.map((count, i) => count * (lines[i]?.unitTax ?? 0))) + shippingTax;
    // What was kept of a gift card is not told; of what is worth nothing no fee is kept.
    const fee = isExchange || ofCards > 0 || kept > value ? 0 : kept;
    const given = isExchange ? 0 : goodwill;
    const worth = value + given - fee;
    const paid = isExchange && worth > 0 ? Math.floor((worth * exchange) / 100) : worth;
    return { id: 900 + id, back, tax, ofShipping, shippingTax, isShipped, paid, worth, fee, given, isForeign, ofCards };
  });
  const withMoney = refunds.filter(
    ({ worth, ofCards }) => worth - ofCards > 0 && worth - ofCards + model.refundRounding > 0,
  );
  const refundRounding = withMoney.length > 0 ? model.refundRounding : 0;
  const roundedId = withMoney.at(-1)?.id;
  const removedValue = sum(lines.map(({ removed }, i) => removed * unit(i)));
  const removedTax = sum(lines.map(({ removed, unitTax }) => removed * unitTax));
  const cards = sum(lines.map(({ isGiftCard, sold }, i) => (isGiftCard ? sold * unit(i) : 0)));
  const net = sum(lines.map(({ sold, removed }, i) => (sold + removed) * unit(i)));
  const total = net - orderDiscount + shipping.price - shipping.discount + added(shipping.tax) + tips + duties;
  const tax = sum(lines.map(({ sold, removed, unitTax }) => (sold + removed) * unitTax)) + shipping.tax;
  const allocated = sum(lines.map(({ sold, removed, unitDiscount }) => (sold + removed) * unitDiscount));

  const current = total - removedValue - sum(refunds.map(({ worth }) => worth));
  const open = model.open < current - cards ? model.open : 0;

  const order = {
    id: 7,
    currency: 'EUR',
    created_at: '2026-04-02T21:15:00+02:00',
    processed_at: null,
    updated_at: '2026-04-03T21:15:00+02:00',
    cancelled_at: null,
    test: false,
    financial_status: open > 0 ? 'partially_paid' : 'paid',
    taxes_included: taxesIncluded,
    total_discounts: text(allocated + shipping.discount + orderDiscount),
    total_tax: text(tax),
    total_tip_received: text(tips),
    total_outstanding: text(open),
    total_price: text(total),
    original_total_duties_set: set(duties),
    total_cash_rounding_payment_adjustment_set: set(rounding),
    total_cash_rounding_refund_adjustment_set: set(refundRounding),
    current_total_price: text(current),
    current_total_tax: text(tax - removedTax - sum(refunds.map((refund) => refund.tax))),
    shipping_lines: [{ price: text(shipping.price), discount_allocations: [{ amount: text(shipping.discount) }] }],
    line_items: lines.map(({ price, sold, removed, unitDiscount, unitTax, isGiftCard }, i) => ({
      id: 100 + i,
      quantity: sold + removed,
      current_quantity: left[i],
      price: text(price),
      gift_card: isGiftCard,
      discount_allocations: [{ amount: text(unitDiscount * (sold + removed)) }],
      tax_lines: [{ price: text(unitTax * (sold + removed)) }],
    })),
    refunds: refunds.map(({ id, back, isShipped, ofShipping, shippingTax, paid, fee, given, isForeign }) => ({
      id,
      created_at: '2026-04-09T11:00:00+02:00',
      refund_line_items: back.flatMap((quantity, i) => {
        const { price = 0, unitDiscount = 0, unitTax = 0 } = lines[i] ?? {};
        const amounts = { subtotal: text(quantity * (price - unitDiscount)), total_tax: text(quantity * unitTax) };
        return quantity === 0 ? [] : [{ line_item_id: 100 + i, quantity, restock_type: 'return', ...amounts }];
      }),
      refund_shipping_lines: isShipped
        ? [
            {
              subtotal_amount_set: { shop_money: { amount: text(ofShipping) } },
              tax_amount_set: { shop_money: { amount: text(shippingTax) } },
            },
          ]
        : [],
      order_adjustments:
        fee === given ? [] : [{ kind: 'refund_discrepancy', amount: text(fee - given), amount_set: set(fee - given) }],
      transactions:
        paid > 0
          ? [
              {
                kind: 'refund',
                status: 'success',
                amount: text(isForeign ? paid + 7 : paid),
                currency: isForeign ? 'USD' : 'EUR',
                /** Which the GraphQL API tells alone. */
                of_shop: text(paid),
              },
            ]
          : [],
    })),
  };
  const figures = {
    total: text(total - removedValue - cards + rounding - open),
    tax: text(tax - removedTax),
    gross: text(sum(lines.map(({ price, sold, isGiftCard }) => (isGiftCard ? 0 : price * sold)))),
    shipping: text(shipping.price - shipping.discount),
    tips: text(tips),
    duties: text(duties),
    units: lines.flatMap(({ sold, isGiftCard }, i): [string, string][] =>
      isGiftCard ? [] : [[String(100 + i), String(sold)]],
    ),
    refunds: refunds
      .map(({ id, worth, ofCards, back, tax: taxBack, ofShipping }): RefundFigures => [
        String(id),
        text(worth - ofCards + (id === roundedId ? refundRounding : 0)),
        // Where no money went back, no tax did.
        text(worth === ofCards ? 0 : taxBack),
        text(worth === ofCards ? 0 : ofShipping),
        back.flatMap((count, i) => (count === 0 || lines[i]?.isGiftCard === true ? [] : [`${100 + i} ${count}`])),
      ])
      .filter(([, amount, , , back]) => amount !== '0.00' || back.length > 0),
  };
  return { order, figures };
}
