import type { Fields } from '../../domain/fields.js';
import { absolute, atRate, money as plain, quantityOf, readRate, total } from '../amounts.js';
import { firstDate } from '../dates.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ConversionOptions } from '../options.js';
import type { RefundedLine, SaleRefund } from '../sale.js';
import { fieldsIn, gatewayOf, idOf, label, word } from '../values.js';
import type { ShopMoney } from './money.js';

/** A refund, and what its lines are worth by the platform: with all tax. */
export interface ShopifyRefund extends SaleRefund {
  value: bigint;
  /** The value less a kept fee, with goodwill: what the platform says has to go back. */
  due: bigint;
  /** Value and tax of each line of the order in it. */
  ofLine: Map<string, { value: bigint; tax: bigint }>;
  /** Of what is not paid out yet. */
  pending: bigint;
  /** What the rate says of money in another currency, where the platform does not say what it is worth. */
  estimated: bigint;
  isCash: boolean;
}

interface Context {
  money: ShopMoney;
  taxesIncluded: boolean;
  options: ConversionOptions;
  notes: Notes;
}

export function refundsOf(order: Fields, context: Context): ShopifyRefund[] {
  const refunds = new Map<string, ShopifyRefund>();
  fieldsIn(order.refunds).forEach((refund, i) => {
    const id = idOf(refund.id);
    if (id === undefined) throw hold('incomplete_source', `refunds[${i}].id`, `refunds[${i}].id is missing.`);
    if (!refunds.has(id)) refunds.set(id, refundOf(id, refund, `refunds[${i}].`, context));
  });
  return [...refunds.values()];
}

function refundOf(id: string, refund: Fields, path: string, context: Context): ShopifyRefund {
  const { money, taxesIncluded, options, notes } = context;
  const lines: RefundedLine[] = [];
  const ofLine: ShopifyRefund['ofLine'] = new Map();
  for (const line of fieldsIn(refund.refund_line_items)) {
    const lineId = idOf(line.line_item_id) ?? '';
    const quantity = absolute(quantityOf(line.quantity, `${path}refund_line_items.quantity`));
    const tax = money.read(line, 'total_tax', `${path}refund_line_items.`);
    const subtotal = money.read(line, 'subtotal', `${path}refund_line_items.`);
    const before = ofLine.get(lineId) ?? { value: 0n, tax: 0n };
    const value = before.value + subtotal + (taxesIncluded ? 0n : tax);
    ofLine.set(lineId, { value, tax: before.tax + tax });
    if (quantity > 0n) lines.push({ id: lineId, quantity, restock: restockOf(line, options, notes) });
  }
  const shipping = shippingOf(refund, path, money);
  const value =
    total([...ofLine.values()].map((one) => one.value)) + shipping.value + (taxesIncluded ? 0n : shipping.tax);
  const due = value - discrepancyOf(refund, path, context);
  const paid = paidBack(refund, path, due, context);
  return {
    id,
    lines,
    ofLine,
    value,
    due,
    at: firstDate([`${path}processed_at`, refund.processed_at], [`${path}created_at`, refund.created_at]),
    ...paid,
    tax: total([...ofLine.values()].map((one) => one.tax)) + shipping.tax,
    shipping: shipping.value,
  };
}

/** What the platform books between the value of the lines and the money: a kept fee is positive, goodwill negative. */
function discrepancyOf(refund: Fields, path: string, { money, taxesIncluded, notes }: Context): bigint {
  const booked = fieldsIn(refund.order_adjustments).filter((one) => word(one.kind)?.includes('refund_discrepancy'));
  if (booked.length > 0) notes.add('refund_discrepancy');
  const read = (name: string): bigint =>
    total(booked.map((one) => plain(money.given(one, name), `${path}order_adjustments.${name}`)));
  return read('amount') + (taxesIncluded ? 0n : read('tax_amount'));
}

function restockOf(line: Fields, options: ConversionOptions, notes: Notes): boolean {
  const type = word(line.restock_type);
  if (type === 'return' || type === 'cancel' || type === 'legacy_restock') return true;
  if (type === 'no_restock') return false;
  if (options.restock === undefined) notes.add('restock_unknown');
  return options.restock === true;
}

/** Refunded shipping and its tax: lines of their own from API 2024-10 on, before that an adjustment with negative amounts. */
function shippingOf(refund: Fields, path: string, money: ShopMoney): { value: bigint; tax: bigint } {
  const lines = fieldsIn(refund.refund_shipping_lines);
  if (lines.length > 0) {
    const read = (name: string): bigint =>
      total(lines.map((line) => money.read(line, name, `${path}refund_shipping_lines.`)));
    return { value: read('subtotal_amount'), tax: read('tax_amount') };
  }
  const adjusted = fieldsIn(refund.order_adjustments).filter((one) => word(one.kind) === 'shipping_refund');
  const read = (name: string): bigint =>
    absolute(total(adjusted.map((one) => plain(money.given(one, name), `${path}order_adjustments.${name}`))));
  return { value: read('amount'), tax: read('tax_amount') };
}

/** What its successful transactions gave back, in the currency of the shop; `due` is what the platform says it is. */
function paidBack(refund: Fields, path: string, due: bigint, { money, options, notes }: Context) {
  const transactions = fieldsIn(refund.transactions).filter((one) => word(one.kind) === 'refund');
  const done = transactions.filter((one) => word(one.status) === 'success');
  const open = transactions.filter((one) => word(one.status) === 'pending');
  if (open.length > 0) notes.add('refund_pending');
  const field = `${path}transactions.`;
  const isForeign = (one: Fields): boolean => {
    const currency = label(one.currency)?.toUpperCase();
    return !('amount_set' in one) && currency !== undefined && currency !== money.currency;
  };
  const foreign = done.filter(isForeign);
  const own = done.filter((one) => !isForeign(one));
  const sum = (some: readonly Fields[]): bigint => total(some.map((one) => money.read(one, 'amount', field)));
  const given = sum(own);
  const told = due > given ? due - given : 0n;
  const estimated = foreign.length > 0 && told === 0n ? byRate(foreign, field, options, notes) : 0n;
  if (foreign.length > 0 && told > 0n) notes.add('refund_in_presentment_currency');
  const converted = foreign.length > 0 ? told + estimated : 0n;
  return {
    total: given + converted,
    estimated,
    giftCard: sum(own.filter(isGiftCard)) + (foreign.every(isGiftCard) ? converted : 0n),
    storeCredit: done.some((one) => gatewayOf(one.gateway) === 'shopify_store_credit'),
    // Money in another currency that is not paid out is worth what is due.
    pending: open.some(isForeign) ? absolute(due) : sum(open),
    isCash: done.some((one) => gatewayOf(one.gateway) === 'cash'),
  };
}

function isGiftCard(transaction: Fields): boolean {
  return gatewayOf(transaction.gateway) === 'gift_card';
}

/** Refunds in the currency of the buyer of which the platform does not say what they are worth. */
function byRate(transactions: readonly Fields[], field: string, { rate }: ConversionOptions, notes: Notes): bigint {
  const worth = readRate(rate?.value);
  const isRated = transactions.every((one) => label(one.currency)?.toUpperCase() === rate?.currency);
  if (worth === undefined || !isRated) {
    const message = 'A refund was paid in another currency and has no lines to value it by; give the option "rate".';
    throw hold('other_currency', `${field}currency`, message);
  }
  notes.add('converted_by_rate');
  return atRate(total(transactions.map((one) => plain(one.amount, `${field}amount`))), worth);
}
