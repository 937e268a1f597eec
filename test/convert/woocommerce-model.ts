import fc from 'fast-check';
import type { RefundFigures } from './shopify-model.js';

/** What was sold, paid and refunded, in cents; quantities in thousandths. */
export interface WooModel {
  lines: { quantity: number; subtotal: number; discount: number; tax: number; isGiftCard: boolean }[];
  fee: number;
  shipping: number;
  shippingTax: number;
  giftCardUsed: number;
  /** Ten-thousandths that rounding left. */
  residual: number;
  refunds: { lines: number[]; worth: number; tax: number; shipping: number; fee: boolean; goodwill: number }[];
}

const cents = (max: number) => fc.integer({ min: 0, max });
const line = fc.record({
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 9 }).map((units) => units * 1000),
    fc.integer({ min: 1, max: 9999 }),
  ),
  subtotal: fc.integer({ min: 1000, max: 1_000_000 }),
  discount: cents(1000),
  tax: cents(500),
  isGiftCard: fc.boolean(),
});

export const wooModel: fc.Arbitrary<WooModel> = fc.record({
  lines: fc
    .tuple(fc.array(line, { maxLength: 4 }), line)
    .map(([some, last]) => [...some, { ...last, isGiftCard: false }]),
  fee: fc.integer({ min: -100, max: 300 }),
  shipping: cents(900),
  shippingTax: cents(90),
  giftCardUsed: cents(50),
  residual: fc.integer({ min: -49, max: 49 }),
  refunds: fc.array(
    fc.record({
      lines: fc.array(cents(4), { maxLength: 3 }),
      worth: cents(900),
      tax: cents(90),
      shipping: cents(300),
      fee: fc.boolean(),
      goodwill: fc.integer({ min: 1, max: 9000 }),
    }),
    { maxLength: 2 },
  ),
});

const sum = (amounts: number[]): number => amounts.reduce((a, b) => a + b, 0);
/** Ten-thousandths as the platform writes them. */
const text = (amount: number): string => {
  const digits = String(Math.abs(amount)).padStart(5, '0');
  const decimals = digits.slice(-4).replace(/0{1,2}$/, '');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -4)}.${decimals}`;
};
const centsText = (amount: number): string => text(amount * 100);

export function wooOrder(model: WooModel) {
  const { lines, fee, shipping, shippingTax, giftCardUsed, residual } = model;
  const netOf = (i: number): number => (lines[i]?.subtotal ?? 0) - (lines[i]?.discount ?? 0);
  const tax = sum(lines.map((one) => one.tax)) + shippingTax;
  const total = sum(lines.map((one, i) => netOf(i) + one.tax)) + fee + shipping + shippingTax;
  const cards = sum(lines.map((one, i) => (one.isGiftCard ? netOf(i) + one.tax : 0)));
  const cardTax = sum(lines.map((one) => (one.isGiftCard ? one.tax : 0)));
  const refunds = model.refunds.map((refund, id) => {
    const back = [...new Set(refund.lines)].filter((i) => i < lines.length);
    const goods = back.filter((i) => lines[i]?.isGiftCard !== true);
    const ofCards = (back.length - goods.length) * (refund.worth + refund.tax);
    const kept = goods.length * (refund.worth + refund.tax) + refund.shipping + (refund.fee ? 1 : 0) + refund.goodwill;
    return { ...refund, id: 900 + id, back, goods, kept, amount: kept + ofCards };
  });
  const order = {
    id: 7,
    status: 'completed',
    currency: 'EUR',
    date_created_gmt: '2026-04-02T19:15:00',
    date_modified_gmt: '2026-04-02T19:20:00',
    customer_id: 0,
    meta_data: [],
    total_tax: centsText(tax),
    total: text((total - giftCardUsed) * 100 + residual),
    gift_cards: [{ amount: centsText(giftCardUsed) }],
    line_items: lines.map((one, i) => ({
      id: 100 + i,
      sku: one.isGiftCard ? 'GC' : `S${i}`,
      quantity: one.quantity / 1000,
      subtotal: centsText(one.subtotal),
      total: centsText(netOf(i)),
      total_tax: centsText(one.tax),
    })),
    fee_lines: [{ id: 50, total: centsText(fee) }],
    shipping_lines: [{ total: centsText(shipping), total_tax: centsText(shippingTax) }],
    tax_lines: [],
    refunds: refunds.map(({ id, amount }) => ({ id, total: centsText(-amount) })),
  };
  const given = refunds.map(({ id, amount, back, worth, tax: taxBack, shipping: shipped, fee: hasFee }) => ({
    id,
    amount: centsText(amount),
    date_created_gmt: '2026-04-09T09:00:00',
    line_items: back.map((i) => ({
      quantity: -1,
      total: centsText(-worth),
      total_tax: centsText(-taxBack),
      meta_data: [{ key: '_refunded_item_id', value: 100 + i }],
    })),
    fee_lines: hasFee
      ? [{ total: '-0.01', total_tax: '0', meta_data: [{ key: '_refunded_item_id', value: '50' }] }]
      : [],
    shipping_lines: [{ total: centsText(-shipped), total_tax: '-0.00' }],
  }));
  const figures = {
    total: text((total - cards) * 100 + residual),
    tax: centsText(tax - cardTax),
    refunds: refunds.map(({ id, kept, goods, tax: taxBack, shipping: shipped, fee: hasFee }): RefundFigures => [
      String(id),
      centsText(kept),
      centsText(goods.length * taxBack),
      centsText(shipped),
      [...goods.map((i) => `${100 + i} 1`), ...(hasFee && fee > 0 ? ['fee-50 1'] : [])],
    ]),
  };
  return { order, refunds: given, figures };
}
