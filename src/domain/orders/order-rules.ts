import { echo, type ErrorDetail } from '../../errors.js';
import { isCurrency } from '../currency.js';
import { formatScaled, isDecimal, toMicros, toSafeMicros } from '../micros.js';
import { checkFacts } from './order-facts.js';
import { EARLIEST_MICROS, MICROS_PER_DAY, parseTimestamp } from '../time.js';

/** What an order is checked against. */
export interface OrderRuleContext {
  /** Currency of the registered source. */
  currency: string;
  nowMicros: number;
}

/** Lines of an order, refunds of an order, and lines of a refund, at most each. */
export const MAX_ENTRIES = 500;
/** Lines of all refunds of an order: each line may come back in ten parts. */
const MAX_REFUND_LINES = 5_000;

/** Characters of `customer.id`. */
export const LONGEST_CUSTOMER_ID = 128;

type Fields = Record<string, unknown>;

/**
 * The rules of an order that a schema cannot express (specification: "POST /v1/orders rules", contract: "Orders"). It takes any
 * JSON value, because all faults of an item are reported at once: a rule whose own fields are malformed stays silent, as the
 * schema has reported them. At most `limit` faults are reported.
 */
export function checkOrderRules(value: unknown, context: OrderRuleContext, limit = Infinity): ErrorDetail[] {
  const errors: ErrorDetail[] = [];
  if (!isFields(value)) return errors;
  checkCurrency(value, context, errors);
  checkTimes(value, context, errors);
  checkCustomer(value, errors);
  checkFacts(value, errors);
  checkChildren(value, errors, limit);
  checkRefundLines(value, errors);
  checkSum(value, errors);
  return errors.length > limit ? errors.slice(0, limit) : errors;
}

function checkCurrency(order: Fields, { currency }: OrderRuleContext, errors: ErrorDetail[]): void {
  const given = order.currency;
  if (typeof given !== 'string' || given === currency || !isCurrency(given)) return;
  const message = `currency must be the currency of the registered source, ${currency}; it is "${given}".`;
  errors.push({ code: 'currency_mismatch', message, field: 'currency' });
}

function checkTimes(order: Fields, { nowMicros }: OrderRuleContext, errors: ErrorDetail[]): void {
  const isOff = (value: unknown): boolean => {
    const instant = typeof value === 'string' ? parseTimestamp(value) : null;
    return instant !== null && (instant < EARLIEST_MICROS || instant > nowMicros + MICROS_PER_DAY);
  };
  const report = (field: string, rule: string, given: unknown): void => {
    errors.push({
      code: 'invalid_timestamp',
      message: `${field} must ${rule}; it is "${echo(String(given))}".`,
      field,
    });
  };
  if (isOff(order.placed_at)) report('placed_at', 'lie between 2000-01-01 and a day from now', order.placed_at);
  listOf(order.refunds).forEach((refund, i) => {
    const { refunded_at } = fieldsOf(refund);
    if (isOff(refunded_at))
      report(`refunds[${i}].refunded_at`, 'lie between 2000-01-01 and a day from now', refunded_at);
  });
  const updated = order.updated_at;
  const updatedAt = typeof updated === 'string' ? parseTimestamp(updated) : null;
  if (updatedAt !== null && updatedAt > nowMicros + MICROS_PER_DAY) {
    report('updated_at', 'be at most a day ahead of now', updated);
  }
}

/**
 * A leading `+` and 7-15 digits with or without separators, or 7-15 digits grouped by `-`, `.`, `(`, `)`. A bare run of
 * digits is a platform id. In any script.
 */
export function looksLikePhone(given: string): boolean {
  const normal = given.normalize('NFKC');
  if (!/[+().-]/.test(normal)) return false;
  const text = normal.replace(/\p{Nd}/gu, '0');
  const digits = text.replace(/[^0]/g, '').length;
  if (digits < 7 || digits > 15) return false;
  return /^\+[^\p{L}]+$/u.test(text) || (/^[\d\s().+-]+$/.test(text) && /[().-]/.test(text));
}

function checkCustomer(order: Fields, errors: ErrorDetail[]): void {
  const customer = order.customer;
  const id = isFields(customer) ? customer.id : undefined;
  // A longer one is a fault of its form.
  if (typeof id !== 'string' || id.length > 2 * LONGEST_CUSTOMER_ID) return;
  if (!/[@\s]/.test(id.normalize('NFKC')) && !looksLikePhone(id.trim())) return;
  const message =
    'customer.id must be an opaque identifier without "@" or spaces and no phone number; hash contact details before sending.';
  errors.push({ code: 'pii_rejected', message, field: 'customer.id' });
}

function checkChildren(order: Fields, errors: ErrorDetail[], limit: number): void {
  const lines = new Set<string>();
  const hasLines = Array.isArray(order.line_items) && order.line_items.length <= MAX_ENTRIES;
  listOf(order.line_items).forEach((line, i) => {
    const id = fieldsOf(line).line_id;
    if (typeof id !== 'string') return;
    if (lines.has(id)) {
      const field = `line_items[${i}].line_id`;
      const message = `${field} "${echo(id)}" stands twice; line ids are unique.`;
      errors.push({ code: 'duplicate_line_id', message, field });
    }
    lines.add(id);
  });

  const refunds = new Set<string>();
  listOf(order.refunds).forEach((refund, i) => {
    const { refund_id: id, line_items } = fieldsOf(refund);
    if (typeof id === 'string') {
      if (refunds.has(id)) {
        const field = `refunds[${i}].refund_id`;
        const message = `${field} "${echo(id)}" stands twice; refund ids are unique.`;
        errors.push({ code: 'duplicate_refund_id', message, field });
      }
      refunds.add(id);
    }
    listOf(line_items).forEach((line, j) => {
      const lineId = fieldsOf(line).line_id;
      if (typeof lineId !== 'string' || lines.has(lineId) || !hasLines || errors.length >= limit) return;
      const field = `refunds[${i}].line_items[${j}].line_id`;
      const message = `${field} "${echo(lineId)}" is not a line of this order.`;
      errors.push({ code: 'unknown_line_id', message, field });
    });
  });
}

function checkRefundLines(order: Fields, errors: ErrorDetail[]): void {
  const count = listOf(order.refunds).reduce<number>(
    (sum, refund) => sum + listOf(fieldsOf(refund).line_items).length,
    0,
  );
  if (count <= MAX_REFUND_LINES) return;
  const message = `refunds must hold at most ${MAX_REFUND_LINES} line_items in all; they hold ${count}.`;
  errors.push({ code: 'too_many', message, field: 'refunds' });
}

/** What is added to the lines, besides tax. */
const ADDED = ['shipping', 'tips', 'duties', 'rounding_adjustment'];

/**
 * sum(unit_price × quantity) − sum(line_discount) − discounts + shipping + tips + duties + rounding_adjustment
 * (+ tax where prices don't include it) = total, exactly.
 */
function checkSum(order: Fields, errors: ErrorDetail[]): void {
  if (isQuickSum(order)) return;
  const lines = listOf(order.line_items);
  const total = order.total;
  const included = order.taxes_included;
  if (!isDecimal(total) || lines.length === 0) return;
  if (included !== undefined && typeof included !== 'boolean') return;

  // In integers of 10^-12, which hold every product of two decimals.
  let computed = 0n;
  let malformed = 0;
  const add = (value: unknown, sign: bigint): void => {
    if (isDecimal(value)) computed += sign * toMicros(value);
    else if (value !== undefined) malformed++;
  };
  for (const line of lines) {
    const { unit_price, quantity, line_discount } = isFields(line) ? line : {};
    if (isDecimal(unit_price) && isDecimal(quantity)) computed += toMicros(unit_price) * toMicros(quantity);
    else malformed++;
    add(line_discount, -1_000_000n);
  }
  add(order.discounts, -1_000_000n);
  for (const field of ADDED) add(order[field], 1_000_000n);
  add(order.tax, included === true ? 0n : 1_000_000n);
  if (malformed > 0 || computed === toMicros(total) * 1_000_000n) return;

  const text = formatScaled(computed, 12);
  const message =
    `The lines, discounts, shipping, tips, duties, rounding and ${included === true ? 'included' : 'added'} tax ` +
    `give ${text}, but total is ${total}.`;
  errors.push({ code: 'sum_mismatch', message, field: 'total', computed: text, supplied: total });
}

/**
 * True when the sum holds and all of it fits whole numbers that are exact in a JS number: whole quantities and less than
 * nine billion. Anything else is decided by exact arithmetic.
 */
function isQuickSum(order: Fields): boolean {
  const lines = listOf(order.line_items);
  const included = order.taxes_included;
  if (included !== undefined && typeof included !== 'boolean') return false;
  let added = 0;
  for (const field of ADDED) added += quick(order[field]);
  let removed = quick(order.discounts);
  const tax = quick(order.tax);
  if (included !== true) added += tax;
  for (const line of lines) {
    if (!isFields(line)) return false;
    const pieces = typeof line.quantity === 'string' ? toSafeMicros(line.quantity) / 1_000_000 : NaN;
    if (!Number.isInteger(pieces) || typeof line.unit_price !== 'string') return false;
    added += toSafeMicros(line.unit_price) * pieces;
    removed += quick(line.line_discount);
  }
  const { total } = order;
  if (lines.length === 0 || typeof total !== 'string') return false;
  // A NaN, of a malformed or huge amount, makes every comparison false. Partial sums only grow, so the last bounds them all.
  return tax >= 0 && added + removed <= Number.MAX_SAFE_INTEGER && added - removed === toSafeMicros(total);
}

/** Micro units of an optional amount. */
function quick(value: unknown): number {
  if (value === undefined) return 0;
  return typeof value === 'string' ? toSafeMicros(value) : NaN;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NO_FIELDS: Fields = {};
const NO_ENTRIES: readonly unknown[] = [];

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS;
}

/** The entries of a list; none of one that is too long, as the schema has reported. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_ENTRIES ? value : NO_ENTRIES;
}
