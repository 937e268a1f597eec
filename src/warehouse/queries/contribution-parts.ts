import {
  PARTS,
  PARTS_OF_LINES,
  PARTS_OF_ORDERS,
  type ContributionFilter,
  type Part,
  type Signs,
} from '../../domain/metrics/contributions.js';
import { gatewayKey, type GatewayFeeRule } from '../../domain/costs/gateway-fees.js';
import { literal } from '../sql.js';
import { DEFAULTS, EXACT, plain, select } from './contribution-columns.js';
import { expenses, spend } from './contribution-costs.js';
import { COSTED_LINES } from './unit-costs.js';

const ORDER = {
  day: 'd.day',
  id: 'd.order_id',
  placed_day: 'd.placed_day',
  version: 'd.version',
};
const REFUNDS = `days AS d ARRAY JOIN d.refund_ids AS refund_id, d.refund_totals AS refund_total, d.refunded_fees AS refunded_fee`;
const LINE = {
  ...ORDER,
  sub: "if(d.restock, d.restocked_line.1, '')",
  item: 'd.number',
  line_id: "if(d.restock, d.restocked_line.2, '')",
  second: 'd.restock',
  size: 'toDecimal256(d.quantity, 6) * toDecimal256(ifNull(d.cost, toDecimal128(0, 6)), 8)',
  sku: 'd.sku',
  quantity: 'd.quantity',
  cost: 'ifNull(d.cost, toDecimal128(0, 6))',
  cost_from: 'd.cost_from',
  cost_since: 'd.cost_since',
};

/** The days that a page reads, of the orders that the filter leaves. */
function days({ gateway, channel }: ContributionFilter): string {
  const placed = `SELECT o.placed_day FROM order_days AS o WHERE o.shop_id = {shop:String} AND o.day BETWEEN {first:Date} AND {last:Date}`;
  // An order without a row is unattributed.
  const credited = (condition: string): string => `(SELECT a.placed_day, a.order_id FROM order_attribution AS a FINAL
      WHERE a.shop_id = {shop:String} AND a.placed_day GLOBAL IN (${placed}) AND a.last_touch ${condition})`;
  const ofChannel =
    channel === 'unattributed'
      ? `GLOBAL NOT IN ${credited("!= 'unattributed'")}`
      : `GLOBAL IN ${credited('= {channel:String}')}`;
  return `days AS (
    SELECT d.day AS day, d.order_id AS order_id, d.placed_day AS placed_day, d.version AS version, d.orders AS orders,
      d.revenue AS revenue, d.gateway_fees AS gateway_fees, d.has_gateway_fee AS has_gateway_fee,
      d.payment_gateway AS payment_gateway, d.lines.sku AS skus, d.lines.quantity AS quantities,
      d.lines.unit_cost AS unit_costs, d.lines.restock AS restocks, d.refund_list.refund_id AS refund_ids,
      d.refund_list.total AS refund_totals, d.refund_list.gateway_fee_refund AS refunded_fees,
      arrayFilter((l, r) -> r, arrayZip(d.refund_lines.refund_id, d.refund_lines.line_id), d.refund_lines.restock) AS restocked
    FROM order_days AS d FINAL
    WHERE d.shop_id = {shop:String} AND d.day BETWEEN {first:Date} AND {last:Date}${
      gateway === undefined ? '' : ' AND d.payment_gateway = {gateway:String}'
    }${channel === undefined ? '' : `\n      AND (d.placed_day, d.order_id) ${ofChannel}`}
  )`;
}

/** Sold lines stand before restocked ones, and these in the order of the refunded lines. */
function lines(signs: Signs, { sku }: ContributionFilter): string {
  const conditions = [
    ...(signs.restock === undefined ? ['NOT line_restock'] : []),
    ...(signs.line_cost === undefined ? ['line_restock'] : []),
    ...(sku === undefined ? [] : ['line_sku = {sku:String}']),
  ];
  return `lines AS (
    SELECT l.day AS day, l.order_id AS order_id, l.placed_day AS placed_day, l.version AS version, line_sku AS sku,
      line_quantity AS quantity, line_cost AS unit_cost, line_restock AS restock, toUInt32(line_number) AS number,
      l.restocked[line_number - countEqual(l.restocks, false)] AS restocked_line
    FROM days AS l
    ARRAY JOIN l.skus AS line_sku, l.quantities AS line_quantity, l.unit_costs AS line_cost, l.restocks AS line_restock,
      arrayEnumerate(l.skus) AS line_number${conditions.length === 0 ? '' : `\n    WHERE ${conditions.join(' AND ')}`}
  )`;
}

function feeEstimate(rules: readonly GatewayFeeRule[]): string {
  const list = (values: readonly string[]): string => `[${values.join(',')}]`;
  const decimals = (values: readonly string[]): string =>
    `CAST(${literal(list(values))}, 'Array(Decimal(76, 6))')[transform(d.payment_gateway, ${gateways}, ${numbers}, 0)]`;
  const gateways = list(rules.map((rule) => literal(gatewayKey(rule.payment_gateway))));
  const numbers = list(rules.map((_, i) => String(i + 1)));
  const percent = decimals(rules.map((rule) => rule.percent));
  const fixed = decimals(rules.map((rule) => rule.fixed));
  return select(
    {
      ...ORDER,
      size: `${percent} * toDecimal256(d.revenue, 6) * toDecimal256('0.01', 2) + ${fixed}`,
      facts: '[d.payment_gateway]',
    },
    `days AS d WHERE d.orders = 1 AND NOT d.has_gateway_fee AND d.payment_gateway IN ${gateways}`,
  );
}

/** Parts that one look at their table gives: each further look costs the warehouse 6 to 20 ms of CPU, however few its rows. */
const SOURCES: readonly (readonly [Part, Part?])[] = [
  ['sale'],
  ['line_cost', 'restock'],
  ['fee_actual'],
  ['fee_estimate'],
  ['refund'],
  ['fee_refund'],
  ['spend'],
  ['ad_expense', 'other_expense'],
];

function sourceQuery(first: Part, signs: Signs, filter: ContributionFilter, rules: readonly GatewayFeeRule[]): string {
  switch (first) {
    case 'sale':
      return select({ ...ORDER, size: plain('d.revenue') }, 'days AS d WHERE d.orders = 1');
    case 'refund':
      return select({ ...ORDER, sub: 'refund_id', size: plain('refund_total') }, REFUNDS);
    case 'fee_actual':
      return select(
        { ...ORDER, size: plain('d.gateway_fees + arraySum(d.refunded_fees)') },
        'days AS d WHERE d.orders = 1 AND d.has_gateway_fee',
      );
    case 'fee_refund':
      return select({ ...ORDER, sub: 'refund_id', size: plain('refunded_fee') }, `${REFUNDS} WHERE refunded_fee != 0`);
    case 'fee_estimate':
      return feeEstimate(rules);
    case 'line_cost':
    case 'restock':
      return select(LINE, 'costed AS d WHERE d.cost IS NOT NULL');
    case 'spend':
      return spend(filter);
    case 'ad_expense':
    case 'other_expense':
      return expenses(signs);
  }
}

/**
 * All entries of the days {first:Date} to {last:Date}: a WITH clause and a UNION of what each part of the figure
 * contributes, with `part` (a number in {@link PARTS}), the signed exact value and the signed amount, rounded half-up at
 * the sixth decimal (a cast cuts the rest off). An entry whose cost is not known contributes nothing and is not there.
 */
export function entries(signs: Signs, filter: ContributionFilter, rules: readonly GatewayFeeRule[]) {
  const columns = Object.keys(DEFAULTS).filter((column) => column !== 'size' && column !== 'second');
  const union = SOURCES.flatMap(([first, second]) => {
    const ofFirst = signs[first];
    const ofSecond = second === undefined ? undefined : signs[second];
    if (ofFirst === undefined && ofSecond === undefined) return [];
    if (first === 'fee_estimate' && rules.length === 0) return [];
    const choose = (a: number | undefined, b: number | undefined): string =>
      a === undefined || b === undefined ? String(a ?? b) : `if(e_second, ${b}, ${a})`;
    const number = choose(ofFirst && PARTS.indexOf(first), ofSecond && PARTS.findIndex((part) => part === second));
    const sign = choose(ofFirst, ofSecond);
    const rounded = `CAST(e_size + toDecimal256('0.0000005', ${EXACT}), 'Decimal(76, 6)')`;
    return [
      `SELECT toUInt8(${number}) AS part, ${sign} * ${rounded} AS amount, ${sign} * ${plain('e_size')} AS exact,
      ${columns.map((column) => `e_${column} AS ${column}`).join(', ')}
    FROM (${sourceQuery(first, signs, filter, rules)})`,
    ];
  });
  const has = (parts: readonly Part[]): boolean => parts.some((part) => signs[part] !== undefined);
  const clauses = [
    ...(has(PARTS_OF_ORDERS) ? [days(filter)] : []),
    ...(has(PARTS_OF_LINES) ? [lines(signs, filter), COSTED_LINES] : []),
  ];
  return {
    with: clauses.length === 0 ? '' : `WITH ${clauses.join(',\n  ')}`,
    union: union.join('\n    UNION ALL\n    '),
  };
}
