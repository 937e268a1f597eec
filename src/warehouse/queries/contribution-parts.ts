import {
  partNumber,
  PARTS,
  PARTS_OF_LINES,
  PARTS_OF_ORDERS,
  PARTS_OF_SALES,
  type ContributionFilter,
  type Part,
  type Signs,
} from '../../domain/metrics/contributions.js';
import { gatewayKey } from '../../domain/costs/gateway-fees.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { literal } from '../sql.js';
import { DEFAULTS, plain, rounded, select } from './contribution-columns.js';
import { expenses, spend } from './contribution-costs.js';
import { sales } from './contribution-sales.js';
import { joinOrderCosts } from './order-costs.js';
import { costedLines } from './unit-costs.js';

const ORDER = {
  day: 'd.day',
  id: 'd.order_id',
  placed_day: 'd.placed_day',
  version: 'd.version',
};
const LINE_COST = 'ifNull(d.cost, toDecimal128(0, 6))';
const LINE_SIZE = `toDecimal256(d.quantity, 6) * toDecimal256(${LINE_COST}, 8)`;
const LINE = {
  ...ORDER,
  part: `if(d.restock, ${partNumber('restock')}, ${partNumber('line_cost')})`,
  sub: "if(d.restock, d.restocked_line.1, '')",
  item: 'd.number',
  line_id: "if(d.restock, d.restocked_line.2, '')",
  size: LINE_SIZE,
  // Of whole units there is nothing to round: 2.5 million lines take 400 ms of CPU so, and 1,280 ms when all are rounded.
  amount: `if(d.quantity = floor(d.quantity), toDecimal256(toInt128(d.quantity), 0) * toDecimal256(${LINE_COST}, 6), ${rounded(LINE_SIZE)})`,
  sku: 'd.sku',
  quantity: 'd.quantity',
  cost: LINE_COST,
  cost_from: 'd.cost_from',
  cost_since: 'd.cost_since',
};

/** Parts of an order as a whole, with the columns that hold them, and what these are if no column of `order_days`; zeros are not listed. */
const AMOUNTS_OF_ORDER: readonly [Part, string, string?][] = [
  ['order_discount', 'order_discount', 'd.discounts - d.line_discounts'],
  ['shipping', 'shipping'],
  ['tip', 'tips'],
  ['duty', 'duties'],
  ['order_rounding', 'rounding_adjustment'],
  ['tax_added', 'tax_added'],
  ['tax', 'tax'],
  [
    'fulfillment',
    'fulfillment_costs',
    'if(d.orders = 1, ifNull(x.fulfillment_cost, d.fulfillment_costs), d.fulfillment_costs)',
  ],
];

/** What the days say besides what every figure needs. */
function statementColumns(signs: Signs): string {
  const parts = AMOUNTS_OF_ORDER.filter(([part]) => signs[part] !== undefined);
  const columns = parts.map(([, name, amount = `d.${name}`]) => `${amount} AS ${name}`);
  if (signs.tax_refund !== undefined) columns.push('d.refund_list.tax_refund AS refunded_taxes');
  return columns.map((column) => `,\n      ${column}`).join('');
}

const needsFees = ({ fee_actual, fee_estimate }: Signs): boolean =>
  fee_actual !== undefined || fee_estimate !== undefined;
/** The fee that is known apart from the order, where there is one, in place of its own. */
const FEES = `if(d.orders = 1 AND x.gateway_fee IS NOT NULL,
        ifNull(x.gateway_fee, toDecimal128(0, 6)) - arraySum(d.refund_list.gateway_fee_refund), d.gateway_fees) AS gateway_fees,
      d.has_gateway_fee OR (d.orders = 1 AND x.gateway_fee IS NOT NULL) AS has_gateway_fee`;
const OF_DAYS = `SELECT y.order_id FROM order_days AS y
        WHERE y.shop_id = {shop:String} AND y.day BETWEEN {first:Date} AND {last:Date} AND y.orders = 1`;

/** The days that a page reads, of the orders that the filter leaves. */
function days(signs: Signs, { sku, gateway, channel }: ContributionFilter): string {
  const placed = `SELECT o.placed_day FROM order_days AS o WHERE o.shop_id = {shop:String} AND o.day BETWEEN {first:Date} AND {last:Date}`;
  // An order without a row is unattributed.
  const credited = (condition: string): string => `(SELECT a.placed_day, a.order_id FROM order_attribution AS a FINAL
      WHERE a.shop_id = {shop:String} AND a.placed_day IN (${placed}) AND a.last_touch ${condition})`;
  const ofChannel =
    channel === 'unattributed' ? `NOT IN ${credited("!= 'unattributed'")}` : `IN ${credited('= {channel:String}')}`;
  return `days AS (
    SELECT d.day AS day, d.order_id AS order_id, d.placed_day AS placed_day, d.version AS version, d.orders AS orders,
      d.revenue AS revenue, ${needsFees(signs) ? FEES : 'd.gateway_fees AS gateway_fees, d.has_gateway_fee AS has_gateway_fee'},
      d.payment_gateway AS payment_gateway, d.lines.sku AS skus, d.lines.quantity AS quantities,
      d.lines.unit_cost AS unit_costs, d.lines.restock AS restocks, d.refund_list.refund_id AS refund_ids,
      d.refund_list.total AS refund_totals, d.refund_list.gateway_fee_refund AS refunded_fees,
      arrayFilter((l, r) -> r, arrayZip(d.refund_lines.refund_id, d.refund_lines.line_id), d.refund_lines.restock) AS restocked${statementColumns(signs)}
    FROM order_days AS d FINAL${needsFees(signs) || signs.fulfillment !== undefined ? joinOrderCosts('d.order_id', OF_DAYS) : ''}
    WHERE d.shop_id = {shop:String} AND d.day BETWEEN {first:Date} AND {last:Date}${
      sku === undefined ? '' : ' AND has(d.lines.sku, {sku:String})'
    }${gateway === undefined ? '' : ' AND d.payment_gateway = {gateway:String}'}${
      channel === undefined ? '' : `\n      AND (d.placed_day, d.order_id) ${ofChannel}`
    }
  )`;
}

/** Sold lines stand before restocked ones, and these in the order of the refunded lines. */
function lines(signs: Signs, { sku }: ContributionFilter): string {
  const conditions = [
    ...(signs.restock === undefined ? ['NOT line_restock'] : []),
    ...(signs.line_cost === undefined ? ['has(l.restocks, true)', 'line_restock'] : []),
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

/** What lines need of the catalog, and more: also what orders of the days said before, or those that the filter leaves out. */
function skus({ sku }: ContributionFilter): string {
  if (sku !== undefined) return '{sku:String}';
  return `SELECT arrayJoin(s.lines.sku) FROM order_days AS s WHERE s.shop_id = {shop:String} AND s.day BETWEEN {first:Date} AND {last:Date}`;
}

function feeEstimate(rules: readonly GatewayFeeRule[]): { condition: string; size: string } {
  const list = (values: readonly string[]): string => `[${values.join(',')}]`;
  const decimals = (values: readonly string[]): string =>
    `CAST(${literal(list(values))}, 'Array(Decimal(76, 6))')[transform(d.payment_gateway, ${gateways}, ${numbers}, 0)]`;
  const gateways = list(rules.map((rule) => literal(gatewayKey(rule.payment_gateway))));
  const numbers = list(rules.map((_, i) => String(i + 1)));
  const percent = decimals(rules.map((rule) => rule.percent));
  const fixed = decimals(rules.map((rule) => rule.fixed));
  return {
    condition: `d.orders = 1 AND NOT d.has_gateway_fee AND d.payment_gateway IN ${gateways}`,
    size: `${percent} * toDecimal256(d.revenue, 6) * toDecimal256('0.01', 2) + ${fixed}`,
  };
}

/** Entries of a part in an order: arrays of their `sub`, of their sizes, and of whether each is there. */
interface Entries {
  sub: string;
  size: string;
  isThere: string;
}

/** What an order contributes on a day besides its lines and an estimated fee, by part. */
function entriesOfOrder(): Partial<Record<Part, Entries>> {
  const one = (isThere: string, amount: string): Entries => ({
    sub: "['']",
    size: `[${amount}]`,
    isThere: `[${isThere}]`,
  });
  const ofRefunds = (amounts: string, isThere: string): Entries => ({
    sub: 'd.refund_ids',
    size: amounts,
    isThere: `arrayMap(a -> ${isThere}, ${amounts})`,
  });
  return {
    sale: one('d.orders = 1', 'd.revenue'),
    fee_actual: one('d.orders = 1 AND d.has_gateway_fee', 'd.gateway_fees + arraySum(d.refunded_fees)'),
    ...Object.fromEntries(AMOUNTS_OF_ORDER.map(([part, name]) => [part, one(`d.${name} != 0`, `d.${name}`)])),
    refund: ofRefunds('d.refund_totals', 'true'),
    fee_refund: ofRefunds('d.refunded_fees', 'a != 0'),
    tax_refund: ofRefunds('arrayMap(t -> ifNull(t, toDecimal128(0, 6)), d.refunded_taxes)', 'a != 0'),
  };
}

/** As arrays of one length: 10^6 orders take 340 ms of CPU so, and 600 ms as one array of tuples. */
function ofOrders(signs: Signs): string {
  const lists = entriesOfOrder();
  const wanted = PARTS.flatMap((part) => {
    const own = signs[part] === undefined ? undefined : lists[part];
    return own === undefined ? [] : [{ ...own, part: `arrayMap(s -> toUInt8(${partNumber(part)}), ${own.sub})` }];
  });
  const joined = (['part', 'sub', 'size', 'isThere'] as const).map((name) => {
    const arrays = wanted.map((own) => own[name]);
    return `${arrays.length === 1 ? arrays.join() : `arrayConcat(${arrays.join(', ')})`} AS entry_${name}`;
  });
  return select(
    { ...ORDER, part: 'entry_part', sub: 'entry_sub', size: 'entry_size', amount: 'toDecimal256(entry_size, 6)' },
    `days AS d ARRAY JOIN ${joined.join(', ')} WHERE entry_isThere`,
  );
}

function estimates(rules: readonly GatewayFeeRule[]): string {
  const { condition, size } = feeEstimate(rules);
  const columns = { ...ORDER, part: partNumber('fee_estimate'), size, facts: '[d.payment_gateway]' };
  return select(columns, `days AS d WHERE ${condition}`);
}

const OTHERS_OF_ORDERS = ['fee_estimate', ...PARTS_OF_LINES, ...PARTS_OF_SALES];

/** Parts that one look at their table gives: each further look costs the warehouse 6 to 20 ms of CPU, however few its rows. */
function sourcesOf(signs: Signs, filter: ContributionFilter, rules: readonly GatewayFeeRule[]): [Part[], string][] {
  const sources: [readonly Part[], () => string][] = [
    [PARTS_OF_ORDERS.filter((part) => !OTHERS_OF_ORDERS.includes(part)), () => ofOrders(signs)],
    [['fee_estimate'], () => estimates(rules)],
    [PARTS_OF_SALES, () => sales(signs, filter)],
    [PARTS_OF_LINES, () => select(LINE, 'costed AS d WHERE d.cost IS NOT NULL')],
    [['spend'], () => spend(filter)],
    [['ad_expense', 'other_expense'], () => expenses(signs)],
  ];
  return sources.flatMap(([parts, sql]) => {
    const asked = parts.filter((part) => signs[part] !== undefined && (part !== 'fee_estimate' || rules.length > 0));
    return asked.length === 0 ? [] : [[asked, sql()]];
  });
}

/** The sign of an entry in SQL. */
function signIn(signs: Signs, parts: readonly Part[]): string {
  const taken = parts.filter((part) => signs[part] === -1);
  if (taken.length === 0) return '1';
  return taken.length === parts.length ? '-1' : `if(e_part IN (${taken.map(partNumber).join(', ')}), -1, 1)`;
}

/**
 * All entries of the days {first:Date} to {last:Date}: a WITH clause and a UNION of what each source of the figure
 * contributes, with `part` (a number in {@link PARTS}), the signed exact value and the signed amount, rounded half-up at
 * the sixth decimal (a cast cuts the rest off). An entry whose cost is not known contributes nothing and is not there.
 */
export function entries(signs: Signs, filter: ContributionFilter, rules: readonly GatewayFeeRule[]) {
  const columns = Object.keys(DEFAULTS).filter((column) => column !== 'size' && column !== 'part');
  const union = sourcesOf(signs, filter, rules).map(([parts, source]) => {
    const sign = signIn(signs, parts);
    return `SELECT toUInt8(e_part) AS part, ${sign} * e_amount AS amount, ${sign} * ${plain('e_size')} AS exact,
      ${columns.map((column) => `e_${column} AS ${column}`).join(', ')}
    FROM (${source})`;
  });
  const has = (parts: readonly Part[]): boolean => parts.some((part) => signs[part] !== undefined);
  const clauses = [
    ...(has(PARTS_OF_ORDERS) ? [days(signs, filter)] : []),
    ...(has(PARTS_OF_LINES) ? [lines(signs, filter), costedLines(skus(filter))] : []),
  ];
  return {
    with: clauses.length === 0 ? '' : `WITH ${clauses.join(',\n  ')}`,
    union: union.join('\n    UNION ALL\n    '),
  };
}
