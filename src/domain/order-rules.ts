import { echo, type ErrorDetail } from '../errors.js';
import { isCurrency } from './currency.js';
import { formatScaled, isDecimal, toMicros, toSafeMicros } from './money.js';
import { isOrderTime } from './orders.js';
import { MICROS_PER_DAY, parseTimestamp } from './time.js';

/** What an order is checked against. */
export interface OrderRuleContext {
  /** Currency of the registered source. */
  currency: string;
  nowMicros: number;
}

type Fields = Record<string, unknown>;

/**
 * The rules of an order that a schema can't say (specification: "POST /v1/orders rules", contract: "Orders"). It takes any
 * JSON value, because all faults of an item are reported at once: a rule whose own fields are malformed stays silent, as the
 * schema has reported them.
 */
export function checkOrderRules(value: unknown, context: OrderRuleContext): ErrorDetail[] {
  if (!isFields(value)) return [];
  return [
    ...checkCurrency(value, context),
    ...checkTimes(value, context),
    ...checkCustomer(value),
    ...checkChildren(value),
    ...checkSum(value),
  ];
}

function checkCurrency(order: Fields, { currency }: OrderRuleContext): ErrorDetail[] {
  const given = order.currency;
  if (typeof given !== 'string' || !isCurrency(given) || given === currency) return [];
  const message = `currency must be the currency of the registered source, ${currency}.`;
  return [{ code: 'currency_mismatch', message, field: 'currency' }];
}

function checkTimes(order: Fields, { nowMicros }: OrderRuleContext): ErrorDetail[] {
  const errors: ErrorDetail[] = [];
  const check = (value: unknown, field: string): void => {
    const instant = typeof value === 'string' ? parseTimestamp(value) : null;
    if (instant === null || isOrderTime(instant, nowMicros)) return;
    errors.push({
      code: 'invalid_timestamp',
      message: `${field} must lie between 2000-01-01 and a day from now.`,
      field,
    });
  };
  check(order.placed_at, 'placed_at');
  array(order.refunds).forEach((refund, i) => check(refund.refunded_at, `refunds[${i}].refunded_at`));

  const updated = order.updated_at;
  const updatedAt = typeof updated === 'string' ? parseTimestamp(updated) : null;
  if (updatedAt !== null && updatedAt > nowMicros + MICROS_PER_DAY) {
    const message = 'updated_at must be at most a day ahead of now.';
    errors.push({ code: 'invalid_timestamp', message, field: 'updated_at' });
  }
  return errors;
}

/**
 * A leading `+` and 7-15 digits with or without separators, or 7-15 digits grouped by `-`, `.`, `(`, `)`. A bare run of
 * digits is a platform id.
 */
export function looksLikePhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  if (digits < 7 || digits > 15) return false;
  return /^\+[^\p{L}]+$/u.test(text) || (/^[\d\s().+-]+$/.test(text) && /[().-]/.test(text));
}

function checkCustomer(order: Fields): ErrorDetail[] {
  const customer = order.customer;
  const id = isFields(customer) ? customer.id : undefined;
  if (typeof id !== 'string') return [];
  if (!/[@\s]/.test(id) && !looksLikePhone(id.trim())) return [];
  const message =
    'customer.id must be an opaque identifier without "@" or spaces and no phone number; hash contact details before sending.';
  return [{ code: 'pii_rejected', message, field: 'customer.id' }];
}

function checkChildren(order: Fields): ErrorDetail[] {
  const errors: ErrorDetail[] = [];
  const lines = new Set<string>();
  array(order.line_items).forEach((line, i) => {
    const id = line.line_id;
    if (typeof id !== 'string') return;
    if (lines.has(id)) {
      const field = `line_items[${i}].line_id`;
      errors.push({
        code: 'duplicate_line_id',
        message: `${field} "${echo(id)}" stands twice; line ids are unique.`,
        field,
      });
    }
    lines.add(id);
  });

  const refunds = new Set<string>();
  array(order.refunds).forEach((refund, i) => {
    const id = refund.refund_id;
    if (typeof id === 'string') {
      if (refunds.has(id)) {
        const field = `refunds[${i}].refund_id`;
        errors.push({
          code: 'duplicate_refund_id',
          message: `${field} "${echo(id)}" stands twice; refund ids are unique.`,
          field,
        });
      }
      refunds.add(id);
    }
    array(refund.line_items).forEach((line, j) => {
      const lineId = line.line_id;
      if (typeof lineId !== 'string' || lines.has(lineId) || !Array.isArray(order.line_items)) return;
      const field = `refunds[${i}].line_items[${j}].line_id`;
      errors.push({
        code: 'unknown_line_id',
        message: `${field} "${echo(lineId)}" is not a line of this order.`,
        field,
      });
    });
  });
  return errors;
}

/**
 * sum(unit_price × quantity) − sum(line_discount) − discounts + shipping + tips + duties + rounding_adjustment
 * (+ tax where prices don't include it) = total, exactly.
 */
function checkSum(order: Fields): ErrorDetail[] {
  const lines = order.line_items;
  const total = order.total;
  const included = order.taxes_included;
  if (!isDecimal(total) || !Array.isArray(lines) || lines.length === 0) return [];
  if (included !== undefined && typeof included !== 'boolean') return [];

  const products: [price: string, quantity: string][] = [];
  const added: string[] = [];
  const removed: string[] = [];
  let malformed = 0;
  const put = (list: string[], value: unknown): void => {
    if (isDecimal(value)) list.push(value);
    else if (value !== undefined) malformed++;
  };
  for (const line of lines as unknown[]) {
    const { unit_price, quantity, line_discount } = isFields(line) ? line : {};
    if (isDecimal(unit_price) && isDecimal(quantity)) products.push([unit_price, quantity]);
    else malformed++;
    put(removed, line_discount);
  }
  put(removed, order.discounts);
  for (const field of ['shipping', 'tips', 'duties', 'rounding_adjustment']) put(added, order[field]);
  if (included === true) put([], order.tax);
  else put(added, order.tax);
  if (malformed > 0 || isQuickSum(products, added, removed, total)) return [];

  // In integers of 10^-12, which hold every product of two decimals.
  let computed = 0n;
  for (const [price, quantity] of products) computed += toMicros(price) * toMicros(quantity);
  for (const value of added) computed += toMicros(value) * 1_000_000n;
  for (const value of removed) computed -= toMicros(value) * 1_000_000n;
  if (computed === toMicros(total) * 1_000_000n) return [];
  const text = formatScaled(computed, 12);
  const message =
    `The lines, discounts, shipping, tips, duties, rounding and ${included === true ? 'included' : 'added'} tax ` +
    `give ${text}, but total is ${total}.`;
  return [{ code: 'sum_mismatch', message, field: 'total', computed: text, supplied: total }];
}

/**
 * True when the sum holds and all of it fits whole numbers that are exact in a JS number: whole quantities and less than
 * nine billion. Anything else is for the slow path to decide.
 */
function isQuickSum(products: [string, string][], added: string[], removed: string[], total: string): boolean {
  let sum = 0;
  let size = 0;
  const put = (micros: number): void => {
    sum += micros;
    size += Math.abs(micros);
  };
  for (const [price, quantity] of products) {
    const pieces = toSafeMicros(quantity) / 1_000_000;
    if (!Number.isInteger(pieces)) return false;
    put(toSafeMicros(price) * pieces);
  }
  for (const value of added) put(toSafeMicros(value));
  for (const value of removed) put(-toSafeMicros(value));
  // A NaN makes both comparisons false.
  return size <= Number.MAX_SAFE_INTEGER && sum === toSafeMicros(total);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function array(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((item) => (isFields(item) ? item : {})) : [];
}
