import { fieldsOf, isFields, type Fields } from '../../domain/fields.js';
import { idOf, listOf } from '../values.js';

/** Lists in lists of an order; what lies deeper is nothing of an order. */
const DEEPEST = 16;

/** Names that differ from those of the REST order in more than their spelling. */
const REST_NAMES: ReadonlyMap<string, string> = new Map([
  ['currencyCode', 'currency'],
  ['displayFinancialStatus', 'financial_status'],
  ['countryCodeV2', 'country_code'],
  ['isGiftCard', 'gift_card'],
  ['isRemoved', 'is_removed'],
  ['originalUnitPriceSet', 'price_set'],
  ['originalPriceSet', 'price_set'],
  ['allocatedAmountSet', 'amount_set'],
  ['reason', 'kind'],
]);

export function isGraphql(order: Fields): boolean {
  return 'lineItems' in order || 'totalPriceSet' in order || 'displayFinancialStatus' in order || 'createdAt' in order;
}

/** An order of the GraphQL API in the form of the REST API: names in snake_case, connections as lists, `gid://…` as ids. */
export function restOrder(order: Fields): Fields {
  const rest = restFields(order, 0);
  const { payment_set, refund_set } = fieldsOf(rest.total_cash_rounding_adjustment);
  return {
    ...rest,
    ...(payment_set !== undefined && { total_cash_rounding_payment_adjustment_set: payment_set }),
    ...(refund_set !== undefined && { total_cash_rounding_refund_adjustment_set: refund_set }),
    ...('line_items' in rest && { line_items: listOf(rest.line_items).map(lineItem) }),
    ...('refunds' in rest && { refunds: listOf(rest.refunds).map(refund) }),
  };
}

function lineItem(value: unknown): Fields {
  const line = fieldsOf(value);
  return { ...line, product_id: fieldsOf(line.product).id };
}

function refund(value: unknown): Fields {
  const fields = fieldsOf(value);
  const lines = listOf(fields.refund_line_items).map((line) => ({
    ...fieldsOf(line),
    line_item_id: fieldsOf(fieldsOf(line).line_item).id,
  }));
  return { ...fields, refund_line_items: lines };
}

function restValue(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) return null;
  if (typeof value === 'string') return value.startsWith('gid://') ? idOf(value) : value;
  if (Array.isArray(value)) return value.map((one: unknown) => restValue(one, depth + 1));
  if (!isFields(value)) return value;
  if (Array.isArray(value.nodes) || Array.isArray(value.edges)) return restValue(listOf(value), depth + 1);
  return restFields(value, depth);
}

function restFields(fields: Fields, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [restName(name, depth), restValue(value, depth + 1)]),
  );
}

/** The name in the REST API of a field at this depth of an order. */
export function restName(name: string, depth: number): string {
  // The currency of an amount keeps its name; that of the order does not.
  const known = name === 'currencyCode' && depth > 0 ? undefined : REST_NAMES.get(name);
  return known ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
