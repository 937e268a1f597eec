import type { Signs } from '../../domain/metrics/figure-list.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { plain, rounded } from './contribution-columns.js';
import { feeEstimate } from './contribution-fees.js';
import { countsOf, inRange, LOOKED_UP, restockedRows, rowsOfDays } from './contribution-orders.js';
import { COUNTED } from './order-filter.js';

/** What one look at the rows of the days counts: terms of an order, whose sums over all orders are added. */
export interface Terms {
  entries: readonly string[];
  /** Lines of parts of a unit. */
  fractional: readonly string[];
}

export const counts = (entries: string, fractional: string, beyond: string, from: string): string =>
  `SELECT toInt64(${entries}) AS entries, ${fractional} AS fractional, ${plain(beyond)} AS beyond FROM ${from}`;

export const termsOfOrders = (signs: Signs): Terms => ({
  entries: countsOf(signs),
  fractional: [],
});

/** All lines: those without a cost are counted apart, so that no SKU is read. Of 750,000 lines that takes 30 ms of CPU less. */
export const TERMS_OF_LINES: Terms = {
  entries: ['length(d.quantities)'],
  fractional: ['arrayCount(q -> q != floor(q), d.quantities)'],
};

/** Of orders that were placed on the days, as their rows say. */
const WITHOUT_COST = `order_facts AS f FINAL WHERE ${inRange('f')} AND f.orders = 1 AND f.lines_without_cost > 0`;

/**
 * What lines without a cost take off {@link TERMS_OF_LINES}. A restocked line has none where the sold one has none: it is looked for
 * among orders with such a line and those of other days. With `isCosted` every line that was sold on the days has a cost.
 */
export const linesWithoutCost = (isCosted: boolean): string[] => [
  ...(isCosted ? [] : [counts('-sum(toInt64(f.lines_without_cost))', '0', '0', WITHOUT_COST)]),
  counts(
    '-toInt64(count())',
    '0',
    '0',
    `(
      SELECT d.placed_day AS placed_day, line_sku
      FROM order_days AS d FINAL
      ARRAY JOIN d.lines.sku AS line_sku, d.lines.unit_cost AS line_cost, d.lines.restock AS line_restock
      WHERE ${inRange('d')} AND line_restock AND line_cost IS NULL AND (d.day, d.order_id) IN (
        ${restockedRows('r.day, r.order_id')} AND (r.placed_day NOT BETWEEN {first:Date} AND {last:Date}${
          isCosted ? '' : ` OR r.order_id IN (SELECT f.order_id FROM ${WITHOUT_COST})`
        })
      )
    ) AS l
    LEFT JOIN (
      SELECT c.sku AS sku, toNullable(min(c.since)) AS since FROM product_costs AS c FINAL WHERE c.shop_id = {shop:String}
      GROUP BY c.sku
    ) AS k ON l.line_sku = k.sku
    WHERE k.since IS NULL OR l.placed_day < k.since`,
  ),
];

/** Lines that were sold, by the orders themselves: the days have no discounts of lines. */
export const countOfSales = (signs: Signs): string =>
  counts(
    sum([
      ...(signs.gross_sale === undefined ? [] : ['length(o.line_items.quantity)']),
      ...(signs.line_discount === undefined ? [] : ['arrayCount(x -> x != 0, o.line_items.line_discount)']),
    ]),
    signs.gross_sale === undefined ? '0' : sum(['arrayCount(q -> q != floor(q), o.line_items.quantity)']),
    '0',
    `orders AS o FINAL
    WHERE o.shop_id = {shop:String} AND o.placed_day BETWEEN {first:Date} AND {last:Date} AND ${COUNTED}`,
  );

/** Fees that the rules estimate, by what the rows of the orders say: the days would have to be joined with costs of orders. */
export function countOfEstimates({ fee_estimate: sign }: Signs, rules: readonly GatewayFeeRule[]): string {
  const { hasRule, size } = feeEstimate(rules, { gateway: 'f.estimable_gateway', revenue: 'f.revenue' });
  return counts(
    'count()',
    '0',
    `sum(${sign ?? 0} * (${plain(rounded('f.size'))} - ${plain('f.size')}))`,
    `(SELECT ${size} AS size FROM order_facts AS f FINAL WHERE ${inRange('f')} AND ${hasRule}) AS f`,
  );
}

const sum = (values: readonly string[]): string => (values.length === 0 ? '0' : `sum(${values.join(' + ')})`);

/** All terms by one look: two take a fifth more CPU time, most of it to read the same rows again. */
export function countOfTerms(signs: Signs, terms: readonly Terms[]): string {
  return counts(
    sum(terms.flatMap(({ entries }) => entries)),
    sum(terms.flatMap(({ fractional }) => fractional)),
    '0',
    `(${rowsOfDays(signs, {}, LOOKED_UP)}) AS d`,
  );
}
