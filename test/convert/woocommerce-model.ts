import fc from 'fast-check';
import type { ConversionOptions } from '../../src/convert/options.js';
import type { RefundFigures } from './shopify-model.js';

/** What was sold, paid, edited and refunded, in the smallest unit of the currency; quantities in thousandths. */
export interface WooModel {
  currency: keyof typeof DECIMALS;
  /** What one unit of the currency is worth in that of the shop, in millionths; undefined where both are the same. */
  rate: { micros: number; by: 'option' | 'aelia' | 'fox' } | undefined;
  lines: { quantity: number; subtotal: number; discount: number; tax: number; isGiftCard: boolean }[];
  /** What was taken off has a negative tax. */
  fee: number;
  feeTax: number;
  shipping: number;
  shippingTax: number;
  giftCardUsed: number;
  /** What rounding the parts left, in hundredths of the smallest unit. */
  residual: number;
  /** An edit left a line of no pieces. */
  isEdited: boolean;
  refunds: WooRefund[];
}

interface WooRefund {
  /** `exchange`: goods came back and no money went. `goodwill`: money went and no goods came back. */
  kind: 'return' | 'exchange' | 'goodwill';
  lines: number[];
  worth: number;
  tax: number;
  shipping: number;
  fee: boolean;
  goodwill: number;
  /** Hundredths of what would go back. */
  kept: number;
  /** An edit removed one of the lines later. */
  isRemoved: boolean;
}

const DECIMALS = { EUR: 2, JPY: 0, KWD: 3 };
const REMOVED_LINE = 199;

const upTo = (max: number) => fc.integer({ min: 0, max });
const rarely = <T>(usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
const line = fc.record({
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 9 }).map((units) => units * 1000),
    fc.integer({ min: 1, max: 9999 }),
  ),
  subtotal: fc.integer({ min: 1500, max: 1_000_000 }),
  discount: upTo(1000),
  tax: fc.integer({ min: 100, max: 500 }),
  isGiftCard: fc.boolean(),
});

export const wooModel: fc.Arbitrary<WooModel> = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  rate: rarely<WooModel['rate']>(
    undefined,
    fc.record({ micros: fc.integer({ min: 1_000, max: 200_000_000 }), by: fc.constantFrom('option', 'aelia', 'fox') }),
  ),
  lines: fc
    .tuple(fc.array(line, { maxLength: 4 }), line)
    .map(([some, last]) => [...some, { ...last, isGiftCard: false }]),
  fee: fc.integer({ min: -300, max: 300 }),
  feeTax: upTo(60),
  shipping: upTo(900),
  shippingTax: upTo(90),
  giftCardUsed: upTo(50),
  residual: fc.oneof(fc.integer({ min: -49, max: 49 }), fc.constantFrom(-100, 100)),
  isEdited: fc.boolean(),
  refunds: fc.array(
    fc.record({
      kind: fc.constantFrom('return', 'return', 'exchange', 'goodwill'),
      lines: fc.array(upTo(4), { maxLength: 3 }),
      worth: fc.integer({ min: 100, max: 900 }),
      tax: fc.integer({ min: 1, max: 90 }),
      shipping: upTo(300),
      fee: fc.boolean(),
      goodwill: rarely(0, upTo(9000)),
      kept: rarely(0, upTo(100)),
      isRemoved: rarely(false, fc.constant(true)),
    }),
    { maxLength: 3 },
  ),
});

const sum = (amounts: number[]): number => amounts.reduce((a, b) => a + b, 0);

function decimal(value: bigint, decimals: number): string {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return value < 0n ? `-${text}` : text;
}

const rateText = (rate: WooModel['rate']): string => decimal(BigInt(rate?.micros ?? 0), 6);
/** Millionths as an item has them, with two decimals or more. */
const inItem = (micros: bigint): string => decimal(micros, 6).replace(/0{1,4}$/, '');

/** Millionths in the currency of the shop, rounded half away from zero. The rate of FOX is that of the other direction. */
function converted(micros: bigint, rate: WooModel['rate']): bigint {
  if (rate === undefined) return micros;
  const [num, den] = rate.by === 'fox' ? [1_000_000n, BigInt(rate.micros)] : [BigInt(rate.micros), 1_000_000n];
  const product = 2n * micros * num;
  return (product + (micros < 0n ? -den : den)) / (2n * den);
}

/** What went back, in the smallest unit of the order's currency. */
function refunded(model: WooModel, refund: WooRefund, index: number) {
  const { kind, worth, tax, isRemoved } = refund;
  const back = kind === 'goodwill' ? [] : [...new Set(refund.lines)].filter((i) => i < model.lines.length);
  const goods = back.filter((i) => model.lines[i]?.isGiftCard !== true);
  const isReturn = kind === 'return';
  // What of a card was kept is not told.
  const ofCards = isReturn ? (back.length - goods.length) * (worth + tax) : 0;
  const kept = ofCards > 0 ? 0 : refund.kept;
  const removed = isReturn && isRemoved ? 1 : 0;
  const sign = isReturn && refund.fee && goods.length > 0 ? Math.sign(model.fee) : 0;
  const shipping = isReturn ? refund.shipping : 0;
  const value = isReturn ? (goods.length + removed) * (worth + tax) + shipping + sign * 6 : 0;
  const goodwill = kind === 'exchange' ? 0 : refund.goodwill;
  const paid = value - Math.floor((value * kept) / 100) + goodwill;
  const taxes = isReturn ? (goods.length + removed) * tax + sign : 0;
  return { id: 900 + index, back, goods, ofCards, removed, sign, shipped: shipping, paid, taxes, isReturn };
}

/** The order and its refunds as the platform tells them, how they are read, and the figures of the item. */
export function wooOrder(model: WooModel) {
  const { currency, lines, fee, shipping, shippingTax, giftCardUsed, rate, residual } = model;
  const decimals = DECIMALS[currency];
  const text = (units: number): string => decimal(BigInt(units), decimals);
  const feeTax = Math.sign(fee) * model.feeTax;
  const netOf = (i: number): number => (lines[i]?.subtotal ?? 0) - (lines[i]?.discount ?? 0);
  const cards = lines.flatMap((one, i) => (one.isGiftCard ? [i] : []));
  const tax = sum(lines.map((one) => one.tax)) + shippingTax + feeTax;
  const hundredths = (sum(lines.map((_, i) => netOf(i))) + tax + fee + shipping - giftCardUsed) * 100 + residual;
  const refunds = model.refunds.map((one, i) => ({ ...one, ...refunded(model, one, i) }));
  const keys = {
    option: {},
    aelia: { _base_currency_exchange_rate: rateText(rate) },
    fox: { _woocs_order_rate: rateText(rate), _woocs_order_base_currency: 'USD' },
  };
  const order = {
    id: 7,
    status: 'completed',
    currency,
    date_created_gmt: '2026-04-02T19:15:00',
    date_modified_gmt: '2026-04-02T19:20:00',
    date_paid_gmt: '2026-04-02T19:16:00',
    customer_id: 0,
    meta_data: Object.entries(keys[rate?.by ?? 'option']).map(([key, value]) => ({ key, value })),
    total_tax: text(tax),
    total: decimal(BigInt(hundredths), decimals + 2),
    gift_cards: [{ amount: text(giftCardUsed) }],
    line_items: [
      ...lines.map((one, i) => ({
        id: 100 + i,
        sku: one.isGiftCard ? 'GC' : `S${i}`,
        quantity: one.quantity / 1000,
        subtotal: text(one.subtotal),
        total: text(netOf(i)),
        total_tax: text(one.tax),
      })),
      ...(model.isEdited ? [{ id: 198, sku: 'S', quantity: 0, subtotal: '0', total: '0', total_tax: '0' }] : []),
    ],
    fee_lines: [{ id: 50, total: text(fee), total_tax: text(feeTax) }],
    shipping_lines: [{ total: text(shipping), total_tax: text(shippingTax) }],
    tax_lines: [],
    refunds: refunds.map(({ id, paid, ofCards }) => ({ id, total: text(-paid - ofCards) })),
  };
  const given = refunds.map(({ id, paid, ofCards, back, worth, tax: each, shipped, removed, sign, isReturn }) => ({
    id,
    amount: text(paid + ofCards),
    date_created_gmt: '2026-04-09T09:00:00',
    line_items: [...back.map((i) => 100 + i), ...(removed > 0 ? [REMOVED_LINE] : [])].map((of) => ({
      quantity: -1,
      total: text(isReturn ? -worth : 0),
      total_tax: text(isReturn ? -each : 0),
      meta_data: [{ key: '_refunded_item_id', value: of }],
    })),
    fee_lines:
      sign === 0
        ? []
        : [{ total: text(-5 * sign), total_tax: text(-sign), meta_data: [{ key: '_refunded_item_id', value: '50' }] }],
    shipping_lines: [{ total: text(-shipped), total_tax: '-0.00' }],
  }));
  /** In the currency of the shop: each amount of the platform is converted by itself. */
  const worthOf = (...amounts: number[]): bigint =>
    amounts.reduce((all, one) => all + converted(BigInt(one) * 10n ** BigInt(6 - decimals), rate), 0n);
  const ofCards = cards.flatMap((i) => [netOf(i), lines[i]?.tax ?? 0]);
  const total = converted(BigInt(hundredths) * 10n ** BigInt(4 - decimals), rate);
  const figures = {
    total: inItem(total + worthOf(giftCardUsed) - worthOf(...ofCards)),
    tax: inItem(worthOf(tax) - worthOf(...cards.map((i) => lines[i]?.tax ?? 0))),
    refunds: refunds
      .map((one): RefundFigures => {
        const { id, paid, ofCards: left, back, goods, worth, tax: each, shipped, sign, removed } = one;
        const cardLines = left === 0 ? 0 : back.length - goods.length;
        const money = worthOf(paid + left - cardLines * (worth + each));
        const taxes = BigInt(one.isReturn ? goods.length + removed : 0) * worthOf(each) + worthOf(sign);
        return [
          String(id),
          inItem(money),
          // Where no money went back, no tax did.
          inItem(money === 0n ? 0n : taxes),
          inItem(money === 0n ? 0n : worthOf(shipped)),
          [...goods.map((i) => `${100 + i} 1`), ...(sign > 0 ? ['fee-50 1'] : [])],
        ];
      })
      .filter(([, money, , , back]) => money !== '0.00' || back.length > 0),
  };
  const options: ConversionOptions = {
    giftCardSkus: ['GC'],
    ...(rate !== undefined && { currency: 'USD' }),
    ...(rate?.by === 'option' && { rate: { currency, value: rateText(rate) } }),
  };
  return { order, refunds: given, options, figures };
}
