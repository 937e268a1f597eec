import type { ErrorDetail } from '../errors.js';
import { formatScaled, isDecimal, toMicros } from './money.js';
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
  if (typeof given !== 'string' || !/^[A-Z]{3}$/.test(given) || given === currency) return [];
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

/** A leading `+` and 7-15 digits, or 7-15 digits grouped by `-`, `.`, `(`, `)`. A bare run of digits is a platform id. */
export function looksLikePhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  if (digits < 7 || digits > 15) return false;
  return /^\+[\d\s().-]+$/.test(text) || (/^[\d\s().-]+$/.test(text) && /[().-]/.test(text));
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
      errors.push({ code: 'duplicate_line_id', message: `${field} "${id}" stands twice; line ids are unique.`, field });
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
          message: `${field} "${id}" stands twice; refund ids are unique.`,
          field,
        });
      }
      refunds.add(id);
    }
    array(refund.line_items).forEach((line, j) => {
      const lineId = line.line_id;
      if (typeof lineId !== 'string' || lines.has(lineId) || !Array.isArray(order.line_items)) return;
      const field = `refunds[${i}].line_items[${j}].line_id`;
      errors.push({ code: 'unknown_line_id', message: `${field} "${lineId}" is not a line of this order.`, field });
    });
  });
  return errors;
}

/**
 * sum(unit_price × quantity) − sum(line_discount) − discounts + shipping + tips + duties + rounding_adjustment
 * (+ tax where prices don't include it) = total, exactly. In integers of 10^-12.
 */
function checkSum(order: Fields): ErrorDetail[] {
  const lines = order.line_items;
  const total = order.total;
  if (!isDecimal(total) || !Array.isArray(lines) || lines.length === 0) return [];

  let valid = true;
  const amount = (value: unknown): bigint => {
    if (value === undefined) return 0n;
    if (isDecimal(value)) return toMicros(value);
    valid = false;
    return 0n;
  };

  let products = 0n;
  let rest = 0n;
  for (const line of lines) {
    if (!isFields(line) || line.unit_price === undefined || line.quantity === undefined) return [];
    products += amount(line.unit_price) * amount(line.quantity);
    rest -= amount(line.line_discount);
  }
  rest -= amount(order.discounts);
  for (const field of ['shipping', 'tips', 'duties', 'rounding_adjustment']) rest += amount(order[field]);
  const included = order.taxes_included;
  if (included !== undefined && typeof included !== 'boolean') return [];
  const tax = amount(order.tax);
  if (included !== true) rest += tax;
  if (!valid) return [];

  const computed = products + rest * 1_000_000n;
  if (computed === toMicros(total) * 1_000_000n) return [];
  const text = formatScaled(computed, 12);
  const message =
    `The lines, discounts, shipping, tips, duties, rounding and ${included === true ? 'included' : 'added'} tax ` +
    `give ${text}, but total is ${total}.`;
  return [{ code: 'sum_mismatch', message, field: 'total', computed: text, supplied: total }];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function array(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((item) => (isFields(item) ? item : {})) : [];
}
