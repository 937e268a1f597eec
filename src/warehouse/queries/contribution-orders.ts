import {
  partNumber,
  PARTS,
  type ContributionFilter,
  type Part,
  type Signs,
} from '../../domain/metrics/contributions.js';
import { ORDER, plain, rounded, select } from './contribution-columns.js';
import { joinOrderCosts } from './order-costs.js';

const LINE_COST = 'ifNull(d.cost, toDecimal128(0, 6))';
const LINE_SIZE = `toDecimal256(d.quantity, 6) * toDecimal256(${LINE_COST}, 8)`;
export const LINE = {
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
const inRange = (rows: string): string =>
  `${rows}.shop_id = {shop:String} AND ${rows}.day BETWEEN {first:Date} AND {last:Date}`;
const OF_DAYS = `SELECT y.order_id FROM order_days AS y WHERE ${inRange('y')} AND y.orders = 1`;

/** Rows of the range, of the orders that the filter leaves. */
function rowsOfDays(signs: Signs, { sku, gateway, channel }: ContributionFilter): string {
  const placed = `SELECT o.placed_day FROM order_days AS o WHERE ${inRange('o')}`;
  // An order without a row is unattributed.
  const credited = (condition: string): string => `(SELECT a.placed_day, a.order_id FROM order_attribution AS a FINAL
      WHERE a.shop_id = {shop:String} AND a.placed_day IN (${placed}) AND a.last_touch ${condition})`;
  const ofChannel =
    channel === 'unattributed' ? `NOT IN ${credited("!= 'unattributed'")}` : `IN ${credited('= {channel:String}')}`;
  return `SELECT d.day AS day, d.order_id AS order_id, d.placed_day AS placed_day, d.version AS version, d.orders AS orders,
      d.revenue AS revenue, ${needsFees(signs) ? FEES : 'd.gateway_fees AS gateway_fees, d.has_gateway_fee AS has_gateway_fee'},
      d.payment_gateway AS payment_gateway, d.lines.sku AS skus, d.lines.quantity AS quantities,
      d.lines.unit_cost AS unit_costs, d.lines.restock AS restocks, d.refund_list.refund_id AS refund_ids,
      d.refund_list.total AS refund_totals, d.refund_list.gateway_fee_refund AS refunded_fees,
      arrayFilter((l, r) -> r, arrayZip(d.refund_lines.refund_id, d.refund_lines.line_id), d.refund_lines.restock) AS restocked${statementColumns(signs)}
    FROM order_days AS d FINAL${needsFees(signs) || signs.fulfillment !== undefined ? joinOrderCosts('d.order_id', OF_DAYS) : ''}
    WHERE ${inRange('d')}${
      sku === undefined ? '' : ' AND has(d.lines.sku, {sku:String})'
    }${gateway === undefined ? '' : ' AND d.payment_gateway = {gateway:String}'}${
      channel === undefined ? '' : `\n      AND (d.placed_day, d.order_id) ${ofChannel}`
    }`;
}

/** The days that a page reads. */
export const days = (signs: Signs, filter: ContributionFilter): string => `days AS (
    ${rowsOfDays(signs, filter)}
  )`;

/** Rows of the days that have restocked lines, in whatever version. */
const restockedRows = (columns: string): string =>
  `SELECT ${columns} FROM order_days AS r WHERE ${inRange('r')} AND has(r.lines.restock, true)`;
/** Columns of the key: all versions of these rows are read, and no others. A year without any takes 40 ms so, and 250 when all rows are read. */
const RESTOCKED = restockedRows('r.day, r.order_id');

/**
 * Sold lines come before restocked ones, and these in the order of the refunded lines. They need no costs of orders: joined with
 * them, even where there are none, 10^6 orders take 90 ms of CPU more.
 */
export function lines(signs: Signs, filter: ContributionFilter): string {
  const { sku } = filter;
  const conditions = [
    ...(signs.restock === undefined ? ['NOT line_restock'] : []),
    ...(signs.line_cost === undefined ? [`(l.day, l.order_id) IN (${RESTOCKED})`, 'line_restock'] : []),
    ...(sku === undefined ? [] : ['line_sku = {sku:String}']),
  ];
  return `lines AS (
    SELECT l.day AS day, l.order_id AS order_id, l.placed_day AS placed_day, l.version AS version, line_sku AS sku,
      line_quantity AS quantity, line_cost AS unit_cost, line_restock AS restock, toUInt32(line_number) AS number,
      l.restocked[line_number - countEqual(l.restocks, false)] AS restocked_line
    FROM (${rowsOfDays({}, filter)}) AS l
    ARRAY JOIN l.skus AS line_sku, l.quantities AS line_quantity, l.unit_costs AS line_cost, l.restocks AS line_restock,
      arrayEnumerate(l.skus) AS line_number${conditions.length === 0 ? '' : `\n    WHERE ${conditions.join(' AND ')}`}
  )`;
}

/** What lines need of the catalog, and more: also what orders of the days said before, or those that the filter leaves out. */
export function skus(signs: Signs, { sku }: ContributionFilter): string {
  if (sku !== undefined) return '{sku:String}';
  if (signs.line_cost === undefined) return restockedRows('arrayJoin(r.lines.sku)');
  return `SELECT arrayJoin(s.lines.sku) FROM order_days AS s WHERE ${inRange('s')}`;
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

const joinArrays = (arrays: readonly string[]): string =>
  arrays.length === 1 ? arrays.join() : `arrayConcat(${arrays.join(', ')})`;

function entriesOf(signs: Signs): (Entries & { part: string })[] {
  const lists = entriesOfOrder();
  return PARTS.flatMap((part) => {
    const own = signs[part] === undefined ? undefined : lists[part];
    return own === undefined ? [] : [{ ...own, part: `arrayMap(s -> toUInt8(${partNumber(part)}), ${own.sub})` }];
  });
}

/** As arrays of one length: 10^6 orders take 340 ms of CPU so, and 600 ms as one array of tuples. */
export function ofOrders(signs: Signs): string {
  const wanted = entriesOf(signs);
  const joined = (['part', 'sub', 'size', 'isThere'] as const).map(
    (name) => `${joinArrays(wanted.map((own) => own[name]))} AS entry_${name}`,
  );
  return select(
    { ...ORDER, part: 'entry_part', sub: 'entry_sub', size: 'entry_size', amount: 'toDecimal256(entry_size, 6)' },
    `days AS d ARRAY JOIN ${joined.join(', ')} WHERE entry_isThere`,
  );
}

export const counts = (entries: string, fractional: string, beyond: string, from: string): string =>
  `SELECT ${entries} AS entries, ${fractional} AS fractional, ${plain(beyond)} AS beyond FROM ${from}`;

export function countOfOrders(signs: Signs): string {
  const areThere = joinArrays(entriesOf(signs).map(({ isThere }) => isThere));
  return counts(`sum(arrayCount(t -> t, ${areThere}))`, '0', '0', 'days AS d');
}

/** SKUs of the catalog, by whether their first cost is from after the placed days of all orders in the range. */
const skusSince = (columns: string, compares: '<=' | '>'): string =>
  `SELECT ${columns} FROM product_costs AS c FINAL WHERE c.shop_id = {shop:String}
      GROUP BY c.sku HAVING min(c.since) ${compares} (SELECT min(p.placed_day) FROM order_days AS p WHERE ${inRange('p')})`;

/**
 * The cost of a line is known from the first version of its SKU on. Only SKUs whose first version is from within the range are
 * joined: the counts of 2.5 million lines take 280 ms of CPU so, and 340 when all lines are joined.
 */
export const COUNT_OF_LINES = [
  counts(
    `sum(arrayCount((sku, cost) -> cost IS NOT NULL OR sku IN (${skusSince('c.sku', '<=')}), d.skus, d.unit_costs))`,
    'sum(arrayCount(q -> q != floor(q), d.quantities))',
    '0',
    `(${rowsOfDays({}, {})}) AS d`,
  ),
  counts(
    'count()',
    '0',
    '0',
    `(${rowsOfDays({}, {})}) AS d
    ARRAY JOIN d.skus AS line_sku, d.unit_costs AS line_cost
    INNER JOIN (${skusSince('c.sku AS sku, min(c.since) AS since', '>')}) AS k ON line_sku = k.sku
    WHERE line_cost IS NULL AND d.placed_day >= k.since`,
  ),
].join('\n    UNION ALL\n    ');
