import { AMOUNTS_OF_ORDER, partNumber, type ContributionFilter } from '../../domain/metrics/contributions.js';
import { PARTS, type Part, type Signs } from '../../domain/metrics/figure-list.js';
import { ORDER, rounded, select } from './contribution-columns.js';
import { ACTUAL } from './contribution-fees.js';
import { joinOrderCosts, ordersWithCosts, type CostKind } from './order-costs.js';

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

/** Parts of an order as a whole, with the columns that hold them; zeros are not listed. */
const COLUMNS_OF_ORDER: readonly [Part, string][] = [['order_discount', 'order_discount'], ...AMOUNTS_OF_ORDER];

/** What the days say besides what every figure needs. */
function statementColumns(signs: Signs, { fulfillment }: KnownCosts): string {
  const amounts: Partial<Record<Part, string>> = { order_discount: 'd.discounts - d.line_discounts', fulfillment };
  const parts = COLUMNS_OF_ORDER.filter(([part]) => signs[part] !== undefined);
  const columns = parts.map(([part, name]) => `${amounts[part] ?? `d.${name}`} AS ${name}`);
  if (signs.tax_refund !== undefined) columns.push('d.refund_list.tax_refund AS refunded_taxes');
  return columns.map((column) => `,\n      ${column}`).join('');
}

const needsFees = ({ fee_actual, fee_estimate }: Signs): boolean =>
  fee_actual !== undefined || fee_estimate !== undefined;
export const inRange = (rows: string): string =>
  `${rows}.shop_id = {shop:String} AND ${rows}.day BETWEEN {first:Date} AND {last:Date}`;
const OF_DAYS = `SELECT y.order_id FROM order_days AS y WHERE ${inRange('y')} AND y.orders = 1`;

/** What is known apart from the orders, in place of what they say themselves. */
interface KnownCosts {
  fees: string;
  fulfillment: string;
  join: string;
}
const JOINED: KnownCosts = {
  fees: `if(d.orders = 1 AND x.gateway_fee IS NOT NULL,
        ifNull(x.gateway_fee, toDecimal128(0, 6)) - arraySum(d.refund_list.gateway_fee_refund), d.gateway_fees) AS gateway_fees,
      d.has_gateway_fee OR (d.orders = 1 AND x.gateway_fee IS NOT NULL) AS has_gateway_fee`,
  fulfillment: 'if(d.orders = 1, ifNull(x.fulfillment_cost, d.fulfillment_costs), d.fulfillment_costs)',
  join: joinOrderCosts('d.order_id', OF_DAYS),
};
const isKnown = (kind: CostKind, also = ''): string => `d.order_id IN (${ordersWithCosts(kind, OF_DAYS)}${also})`;
/** For counts: whether there are any. Looked up, since a join hands on the lines of all orders: 10^6 take 90 ms of CPU more. */
export const LOOKED_UP: KnownCosts = {
  fees: `d.gateway_fees AS gateway_fees, d.has_gateway_fee OR ${isKnown('gateway_fee')} AS has_gateway_fee`,
  fulfillment: `if(d.orders = 1 AND ${isKnown('fulfillment_cost')},
        toDecimal128(${isKnown('fulfillment_cost', ' AND c.amount != 0')}, 6), d.fulfillment_costs)`,
  join: '',
};

/** Rows of the range, of the orders that the filter leaves. */
export function rowsOfDays(
  signs: Signs,
  { sku, gateway, channel }: ContributionFilter,
  known: KnownCosts = JOINED,
): string {
  const placed = `SELECT o.placed_day FROM order_days AS o WHERE ${inRange('o')}`;
  // An order without a row is unattributed.
  const credited = (condition: string): string => `(SELECT a.placed_day, a.order_id FROM order_attribution AS a FINAL
      WHERE a.shop_id = {shop:String} AND a.placed_day IN (${placed}) AND a.last_touch ${condition})`;
  const ofChannel =
    channel === 'unattributed' ? `NOT IN ${credited("!= 'unattributed'")}` : `IN ${credited('= {channel:String}')}`;
  return `SELECT d.day AS day, d.order_id AS order_id, d.placed_day AS placed_day, d.version AS version, d.orders AS orders,
      d.revenue AS revenue, ${needsFees(signs) ? known.fees : 'd.gateway_fees AS gateway_fees, d.has_gateway_fee AS has_gateway_fee'},
      d.payment_gateway AS payment_gateway, d.lines.sku AS skus, d.lines.quantity AS quantities,
      d.lines.unit_cost AS unit_costs, d.lines.restock AS restocks, d.refund_list.refund_id AS refund_ids,
      d.refund_list.total AS refund_totals, d.refund_list.gateway_fee_refund AS refunded_fees,
      arrayFilter((l, r) -> r, arrayZip(d.refund_lines.refund_id, d.refund_lines.line_id), d.refund_lines.restock) AS restocked${statementColumns(signs, known)}
    FROM order_days AS d FINAL${needsFees(signs) || signs.fulfillment !== undefined ? known.join : ''}
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
export const restockedRows = (columns: string): string =>
  `SELECT ${columns} FROM order_days AS r WHERE ${inRange('r')} AND has(r.lines.restock, true)`;
/** Columns of the key: all versions of these rows are read, and no others. A year without any takes 40 ms so, and 250 when all rows are read. */
const RESTOCKED = restockedRows('r.day, r.order_id');

/**
 * Without those of days on which an order had nothing but refunds, and all that was restocked is worth less than an amount, to the sixth
 * decimal of which it is rounded. Of 25,000 such rows in a year 120 ms of CPU are left of 230.
 */
const thatReach = (least: string): string => ` AND (r.day, r.order_id) NOT IN (
      SELECT f.day, f.order_id FROM order_facts AS f FINAL
      WHERE ${inRange('f')} AND f.orders = 0 AND f.cogs < 0 AND toDecimal256('0.000001', 12) - f.cogs < ${least}
    )`;

/** Of a line of parts of a unit. */
export const IS_FRACTIONAL = 'line_quantity != floor(line_quantity)';

/**
 * Sold lines come before restocked ones, and these in the order of the refunded lines. They need no costs of orders: joined with
 * them, even where there are none, 10^6 orders take 90 ms of CPU more.
 */
export function lines(
  signs: Signs,
  filter: ContributionFilter,
  { least, isFractional = false }: { least?: string | undefined; isFractional?: boolean | undefined },
): string {
  const { sku } = filter;
  const conditions = [
    ...(signs.restock === undefined ? ['NOT line_restock'] : []),
    ...(signs.line_cost === undefined
      ? [`(l.day, l.order_id) IN (${RESTOCKED}${least === undefined ? '' : thatReach(least)})`, 'line_restock']
      : []),
    ...(sku === undefined ? [] : ['line_sku = {sku:String}']),
    ...(isFractional ? [IS_FRACTIONAL] : []),
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

/** Entries of a part of an order: one, or one for each of its refunds with an amount `a` that meets a condition. */
type Entries = { amount: string; isThere: string } | { amounts: string; each: string };

/** What an order contributes on a day besides its lines and an estimated fee, by part. */
const ENTRIES: Partial<Record<Part, Entries>> = {
  sale: { amount: 'd.revenue', isThere: 'd.orders = 1' },
  fee_actual: ACTUAL,
  ...Object.fromEntries(
    COLUMNS_OF_ORDER.map(([part, name]) => [part, { amount: `d.${name}`, isThere: `d.${name} != 0` }]),
  ),
  refund: { amounts: 'd.refund_totals', each: 'true' },
  fee_refund: { amounts: 'd.refunded_fees', each: 'a != 0' },
  tax_refund: { amounts: 'arrayMap(t -> ifNull(t, toDecimal128(0, 6)), d.refunded_taxes)', each: 'a != 0' },
};

function wantedOf(signs: Signs): { part: string; sign: 1 | -1; own: Entries }[] {
  return PARTS.flatMap((part) => {
    const own = ENTRIES[part];
    const sign = signs[part];
    return own === undefined || sign === undefined ? [] : [{ part: partNumber(part), sign, own }];
  });
}

const joinArrays = (arrays: readonly string[]): string =>
  arrays.length === 1 ? arrays.join() : `arrayConcat(${arrays.join(', ')})`;

/**
 * The least amount that a page by amount can show of a figure with sales: that of the last of as many sales as the page has entries,
 * all of them after the page before. Null: there are not so many. It reads one column, and all others are read of few orders then.
 */
export const leastShown = (isFirst: boolean): string =>
  `(SELECT b.revenue FROM days AS b WHERE b.orders = 1${
    isFirst ? '' : " AND b.revenue < CAST({afterAmount:String}, 'Decimal(76, 6)')"
  } ORDER BY b.revenue DESC LIMIT 1 OFFSET {limit:UInt32} - 1)`;

/** The days, or, with a least amount, those of them with an entry that reaches it. */
function rowsThatReach(signs: Signs, least: string | undefined): string {
  if (least === undefined) return 'days';
  const conditions = wantedOf(signs).map(({ sign, own }) => {
    const reaches = (amount: string): string => `ifNull(${sign === 1 ? amount : `-(${amount})`} >= ${least}, true)`;
    return 'amount' in own
      ? `(${own.isThere} AND ${reaches(own.amount)})`
      : `arrayExists(a -> ${own.each} AND ${reaches('a')}, ${own.amounts})`;
  });
  return `(SELECT * FROM days AS d WHERE ${conditions.join(' OR ')})`;
}

/**
 * Of several parts as arrays of one length: 10^6 orders take 340 ms of CPU so, and 600 ms as one array of tuples. A single part that an
 * order has but once needs none: 10^6 sales take half the time so, and a least amount would cost more than it saves.
 */
export function ofOrders(signs: Signs, least?: string): string {
  const wanted = wantedOf(signs);
  const [first, ...others] = wanted;
  if (first !== undefined && others.length === 0 && 'amount' in first.own) {
    const { amount, isThere } = first.own;
    const columns = { ...ORDER, part: first.part, size: amount, amount: `toDecimal256(${amount}, 6)` };
    return select(columns, `days AS d WHERE ${isThere}`);
  }
  const lists = wanted.map(({ part, own }) =>
    'amount' in own
      ? { part: `[toUInt8(${part})]`, sub: "['']", size: `[${own.amount}]`, isThere: `[${own.isThere}]` }
      : {
          part: `arrayMap(s -> toUInt8(${part}), d.refund_ids)`,
          sub: 'd.refund_ids',
          size: own.amounts,
          isThere: `arrayMap(a -> ${own.each}, ${own.amounts})`,
        },
  );
  const joined = (['part', 'sub', 'size', 'isThere'] as const).map(
    (name) => `${joinArrays(lists.map((own) => own[name]))} AS entry_${name}`,
  );
  return select(
    { ...ORDER, part: 'entry_part', sub: 'entry_sub', size: 'entry_size', amount: 'toDecimal256(entry_size, 6)' },
    `${rowsThatReach(signs, least)} AS d ARRAY JOIN ${joined.join(', ')} WHERE entry_isThere`,
  );
}

/** How many entries an order has of each part. */
export const countsOf = (signs: Signs): string[] =>
  wantedOf(signs).map(({ own }) =>
    'amount' in own ? `(${own.isThere})` : `arrayCount(a -> ${own.each}, ${own.amounts})`,
  );
