import { fieldsOf, isFields, type Fields } from '../../domain/fields.js';
import { formatMoney, isOpen, readMicros, total } from '../amounts.js';
import { hold, incomplete } from '../holds.js';
import { fieldsIn, listOf, word } from '../values.js';

/** What an order must tell so that it can be counted. */
export const GRAPHQL = {
  order: [
    'id',
    'createdAt',
    'processedAt',
    'updatedAt',
    'cancelledAt',
    'test',
    'currencyCode',
    'displayFinancialStatus',
    'taxesIncluded',
    'totalPriceSet',
    'currentTotalPriceSet',
    'totalTaxSet',
    'currentTotalTaxSet',
    'totalDiscountsSet',
    'totalOutstandingSet',
    'totalCashRoundingAdjustment',
    'lineItems',
    'shippingLines',
    'refunds',
  ],
  totalCashRoundingAdjustment: ['paymentSet', 'refundSet'],
  lineItems: ['id', 'quantity', 'currentQuantity', 'isGiftCard', 'originalUnitPriceSet', 'discountAllocations'],
  shippingLines: ['originalPriceSet'],
  refunds: ['id', 'refundLineItems', 'transactions'],
  refundLineItems: ['lineItem', 'quantity', 'restockType', 'subtotalSet', 'totalTaxSet'],
  transactions: ['kind', 'status', 'gateway', 'amountSet'],
};
const REST = {
  order: [
    'id',
    'currency',
    'financial_status',
    'cancelled_at',
    'processed_at',
    'test',
    'total_price',
    'total_tax',
    'taxes_included',
    'line_items',
    'shipping_lines',
    'refunds',
  ],
  /** Null where there is nothing to say. */
  mayBeNull: ['financial_status', 'cancelled_at', 'processed_at'],
  refunds: ['id', 'refund_line_items', 'transactions'],
  transactions: ['kind', 'status', 'amount'],
};

const DEEPEST = 16;

/** Holds an order whose query left out fields, all of which are named, or whose answer has only the first page of a list. */
export function requireWholeQuery(order: Fields): void {
  const missing = new Set<string>();
  const lacks = (path: string, holder: unknown, names: readonly string[]): void => {
    for (const name of names) {
      const given = fieldsOf(holder);
      if (given[name] === undefined || saysNotWhetherTest(name, given)) missing.add(`${path}${name}`);
    }
  };
  const notNeeded = fieldsNotNeeded(order);
  lacks(
    '',
    order,
    GRAPHQL.order.filter((name) => !notNeeded.has(name)),
  );
  const { totalCashRoundingAdjustment: rounding } = order;
  if (!isOpen(rounding)) lacks('totalCashRoundingAdjustment.', rounding, GRAPHQL.totalCashRoundingAdjustment);
  for (const line of listOf(order.lineItems))
    lacks(
      'lineItems.',
      line,
      GRAPHQL.lineItems.filter((name) => name !== 'isGiftCard' || mayBeGiftCard(line)),
    );
  listOf(order.shippingLines).forEach((line) => lacks('shippingLines.', line, GRAPHQL.shippingLines));
  for (const refund of listOf(order.refunds)) {
    const { refundLineItems, transactions, processedAt, createdAt } = fieldsOf(refund);
    lacks('refunds.', refund, GRAPHQL.refunds);
    if (isOpen(processedAt) && isOpen(createdAt)) missing.add('refunds.createdAt');
    listOf(refundLineItems).forEach((line) => lacks('refunds.refundLineItems.', line, GRAPHQL.refundLineItems));
    listOf(transactions).forEach((one) => lacks('refunds.transactions.', one, GRAPHQL.transactions));
  }
  if (missing.size > 0) throw incomplete([...missing]);
  const cut = cutList(order, '', 0);
  if (cut !== undefined) throw incomplete([cut], 'the answer has its first page alone (pageInfo.hasNextPage)');
  requireAllRefunds(order);
}

/** Fields of the order that change none of its amounts, as the rest of the answer shows: they need not be asked for. */
function fieldsNotNeeded(order: Fields): Set<string> {
  const names = new Set<string>();
  const gateways = listOf(order.paymentGatewayNames).map(word);
  if (gateways.length > 0 && gateways.every((name) => name !== undefined && !name.includes('cash')))
    names.add('totalCashRoundingAdjustment');
  if (amountOf(order.currentTotalPriceSet) === amountOf(order.totalPriceSet)) names.add('currentTotalTaxSet');
  return names;
}

/** The words for it in the languages of shops; a title that was not asked for may say anything. */
const GIFT_CARD = /gift|voucher|gutschein|geschenk|cadeau|kado|regalo|present|gavekort|lahja|prezent/i;
const mayBeGiftCard = (line: unknown): boolean => {
  const { title } = fieldsOf(line);
  return typeof title !== 'string' || GIFT_CARD.test(title);
};

const amountOf = (set: unknown): bigint => readMicros(fieldsOf(fieldsOf(set).shopMoney).amount, 'rounded') ?? 0n;

/** What was refunded in total must be in the refunds. */
function requireAllRefunds(order: Fields): void {
  const told = amountOf(order.totalRefundedSet);
  const transactions = fieldsIn(order.refunds).flatMap((refund) => fieldsIn(refund.transactions));
  const done = transactions.filter((one) => word(one.kind) === 'refund' && word(one.status) === 'success');
  const given = total(done.map((one) => amountOf(one.amountSet)));
  const rounded = given + amountOf(fieldsOf(order.totalCashRoundingAdjustment).refundSet);
  if (told <= given || told === rounded) return;
  const why = `it is ${formatMoney(told)}, and the refunds of the answer have ${formatMoney(given)}`;
  throw incomplete(['totalRefundedSet'], why);
}

/**
 * Shopify's `test` is true or false in every API. A null is that of an export which did not load the field, and a test order must
 * not count as a sale.
 */
const saysNotWhetherTest = (name: string, holder: Fields): boolean => name === 'test' && isOpen(holder.test);

/** Holds a REST order from which fields were filtered (`fields=`). */
export function requireWholeOrder(order: Fields): void {
  const absent = REST.order.filter((name) => order[name] === undefined || saysNotWhetherTest(name, order));
  if (absent.length > 0) throw incomplete(absent);
  const lacks = (path: string, holder: unknown, names: readonly string[]): void => {
    const name = names.find((one) => isOpen(fieldsOf(holder)[one]));
    if (name === undefined) return;
    throw hold(
      'incomplete_source',
      `${path}${name}`,
      `${path}${name} is missing; export the order with all its fields.`,
    );
  };
  lacks(
    '',
    order,
    REST.order.filter((name) => !REST.mayBeNull.includes(name)),
  );
  for (const refund of listOf(order.refunds)) {
    lacks('refunds.', refund, REST.refunds);
    listOf(fieldsOf(refund).transactions).forEach((one) => lacks('refunds.transactions.', one, REST.transactions));
  }
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
