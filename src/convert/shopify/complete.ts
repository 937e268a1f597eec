import { fieldsOf, isFields, type Fields } from '../../domain/fields.js';
import { isOpen } from '../amounts.js';
import { hold } from '../holds.js';
import { listOf } from '../values.js';

/** What an order must tell so that it can be counted. */
export const GRAPHQL = {
  order: [
    'id',
    'createdAt',
    'updatedAt',
    'cancelledAt',
    'test',
    'currencyCode',
    'displayFinancialStatus',
    'taxesIncluded',
    'totalPriceSet',
    'currentTotalPriceSet',
    'totalTaxSet',
    'totalDiscountsSet',
    'totalOutstandingSet',
    'lineItems',
    'shippingLines',
    'refunds',
  ],
  lineItems: ['id', 'quantity', 'currentQuantity', 'originalUnitPriceSet', 'discountAllocations'],
  shippingLines: ['originalPriceSet'],
  refunds: ['id', 'refundLineItems', 'transactions'],
  refundLineItems: ['lineItem', 'quantity', 'restockType', 'subtotalSet', 'totalTaxSet'],
  transactions: ['kind', 'status', 'gateway', 'amountSet'],
};
const REST = {
  order: ['id', 'currency', 'total_price', 'total_tax', 'taxes_included', 'line_items', 'shipping_lines', 'refunds'],
  refunds: ['id', 'refund_line_items', 'transactions'],
  transactions: ['kind', 'status', 'amount'],
};

const DEEPEST = 16;

/** Holds an order whose query left out a field, or whose answer has only the first page of a list. */
export function requireWholeQuery(order: Fields): void {
  const lacks = (path: string, holder: unknown, names: readonly string[]): void => {
    const name = names.find((one) => fieldsOf(holder)[one] === undefined);
    if (name !== undefined) throw incomplete(`${path}${name}`, 'the query did not ask for it');
  };
  lacks('', order, GRAPHQL.order);
  listOf(order.lineItems).forEach((line) => lacks('lineItems.', line, GRAPHQL.lineItems));
  listOf(order.shippingLines).forEach((line) => lacks('shippingLines.', line, GRAPHQL.shippingLines));
  for (const refund of listOf(order.refunds)) {
    const { refundLineItems, transactions, processedAt, createdAt } = fieldsOf(refund);
    lacks('refunds.', refund, GRAPHQL.refunds);
    if (isOpen(processedAt) && isOpen(createdAt)) throw incomplete('refunds.createdAt', 'the query did not ask for it');
    listOf(refundLineItems).forEach((line) => lacks('refunds.refundLineItems.', line, GRAPHQL.refundLineItems));
    listOf(transactions).forEach((one) => lacks('refunds.transactions.', one, GRAPHQL.transactions));
  }
  const cut = cutList(order, '', 0);
  if (cut !== undefined) throw incomplete(cut, 'the answer has its first page alone (pageInfo.hasNextPage)');
}

/** Holds a REST order from which fields were filtered. */
export function requireWholeOrder(order: Fields): void {
  const lacks = (path: string, holder: unknown, names: readonly string[]): void => {
    const name = names.find((one) => isOpen(fieldsOf(holder)[one]));
    if (name === undefined) return;
    throw hold(
      'incomplete_source',
      `${path}${name}`,
      `${path}${name} is missing; export the order with all its fields.`,
    );
  };
  lacks('', order, REST.order);
  for (const refund of listOf(order.refunds)) {
    lacks('refunds.', refund, REST.refunds);
    listOf(fieldsOf(refund).transactions).forEach((one) => lacks('refunds.transactions.', one, REST.transactions));
  }
}

function incomplete(field: string, why: string) {
  return hold('query_incomplete', field, `${field} is not whole: ${why}; use the query of the guide.`);
}

/** The first list that goes on after its last entry. */
function cutList(value: unknown, path: string, depth: number): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return first(value, (one) => cutList(one, path, depth + 1));
  if (!isFields(value)) return undefined;
  if (fieldsOf(value.pageInfo).hasNextPage === true) return path;
  return first(Object.entries(value), ([name, one]) =>
    cutList(
      one,
      name === 'nodes' || name === 'edges' || name === 'node' ? path : path === '' ? name : `${path}.${name}`,
      depth + 1,
    ),
  );
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
