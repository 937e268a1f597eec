import { fraction, plus } from '../../domain/money.js';
import type { BreakdownSort, Dimension } from '../../schemas/breakdown.js';
import type { SortDirection } from '../../schemas/primitives.js';
import type { Warehouse } from '../client.js';
import { streamFile, type FileFormat } from '../file-rows.js';
import { defineQuery, texts, type Query, type QueryParams, type RowOf, type Statement } from '../query.js';
import { breakdownRowsFile } from './breakdown-file.js';
import { DIMENSION_COLUMNS } from './order-dimensions.js';
import { countedIn, ordersOf, type OrderFilter } from './order-filter.js';
import { estimateOf, exact, EXACT_DECIMALS, hasRule } from './order-profits.js';

/** Where a page ended: the figure sorted by, as the warehouse writes it, and the key, empty for orders that have none. */
export interface BreakdownPosition {
  value: string;
  key: string;
}

export interface BreakdownQuery extends OrderFilter {
  by: Dimension;
  sort: BreakdownSort;
  direction: SortDirection;
  after?: BreakdownPosition | undefined;
  limit: number;
}

/** Whether an order may be in several rows. */
export const isOverlapping = (by: Dimension): boolean => DIMENSION_COLUMNS[by].isList === true;

const NAMES = ['orders', 'costed', 'charged', 'revenue', 'refunds', 'cogs', 'actual_fees', 'estimated_fees'] as const;
type SumName = (typeof NAMES)[number];

/** What is summed up of a counted order `o`. */
const amountsOf = ({ rules }: OrderFilter): Record<SumName, string> => ({
  orders: '1',
  costed: 'o.lines_without_cost = 0',
  charged: `o.has_gateway_fee OR ${hasRule(rules)}`,
  revenue: 'o.revenue',
  refunds: 'o.refunds',
  cogs: 'o.cogs',
  actual_fees: 'o.gateway_fees',
  estimated_fees: estimateOf(rules),
});

/** Of all orders of the range, each once. */
const TOTAL = 'total_';
const BREAKDOWN = defineQuery('breakdown', {
  ...texts(...NAMES, ...NAMES.map((name) => `${TOTAL}${name}` as const), 'key', 'name', 'position', 'found'),
});
type Row = RowOf<typeof BREAKDOWN>;

const FEES = `${exact('t.actual_fees')} + t.estimated_fees`;
const NET = 't.revenue - t.refunds';
const VALUES: Record<Exclude<BreakdownSort, 'key'>, string> = {
  orders: exact('t.orders'),
  revenue: exact('t.revenue'),
  refunds: exact('t.refunds'),
  net_revenue: exact(NET),
  cogs: exact('t.cogs'),
  gateway_fees: `(${FEES})`,
  profit: `(${exact(`${NET} - t.cogs`)} - (${FEES}))`,
};

/** One row a spelling, then one a key: so little is folded. Amounts stay numbers, since texts of all customers cost more than the rest. */
export function breakdownQuery(asked: BreakdownQuery): Query<Row> {
  const { by, sort, direction, after, limit, ...filter } = asked;
  const { from, params } = rowsOf(by, filter);
  const than = direction === 'asc' ? '>' : '<';
  const figure = sort === 'key' ? undefined : VALUES[sort];
  const behind =
    figure === undefined
      ? `t.key ${than} {afterKey:String}`
      : `(${figure} ${than} ${AFTER} OR ${figure} = ${AFTER} AND t.key > {afterKey:String})`;
  return BREAKDOWN(
    `SELECT t.key AS key, t.name AS name, ${NAMES.map((name) => `${shown(name, `t.${name}`)} AS ${name}`).join(', ')},
      ${figure ?? "''"} AS position, toString(count() OVER ()) AS found,
      ${NAMES.map((name) => `${shown(name, `sum(t.once_${name}) OVER ()`)} AS ${TOTAL}${name}`).join(', ')}
    FROM (${from}) AS t${after === undefined ? '' : ` WHERE ${behind}`}
    ORDER BY ${orderOf(sort, direction)} LIMIT {limit:UInt32}`,
    {
      ...params,
      limit,
      ...(after !== undefined && { afterKey: after.key, ...(figure !== undefined && { afterValue: after.value }) }),
    },
  );
}

const COUNTS: readonly SumName[] = ['orders', 'costed', 'charged'];
/** Decimals go out as texts anyway. */
const shown = (name: SumName, sum: string): string => (COUNTS.includes(name) ? `toString(${sum})` : sum);

/** All rows of a range as a file, with the fields of `BreakdownRow` in their order. */
export function breakdownFile(
  format: FileFormat,
  { by, sort, direction, ...filter }: Omit<BreakdownQuery, 'after' | 'limit'>,
): Statement {
  const { from, params } = rowsOf(by, filter);
  const all = ordersOf(filter, 'sum(o.revenue) - sum(o.refunds)', countedIn(filter)).sql;
  return breakdownRowsFile(format, {
    rows: `SELECT t.*, (${all}) AS all_net, ${FEES} AS fees, ${NET} AS net, ${VALUES.profit} AS profit
      FROM (${from}) AS t ORDER BY ${orderOf(sort, direction)}`,
    params,
  });
}

function orderOf(sort: BreakdownSort, direction: SortDirection): string {
  const down = direction === 'asc' ? '' : ' DESC';
  return sort === 'key' ? `t.key${down}` : `${VALUES[sort]}${down}, t.key`;
}

/** All rows; `once_…` are the sums without the orders that another row has too. */
function rowsOf(by: Dimension, filter: OrderFilter): { from: string; params: QueryParams } {
  const {
    value,
    isList = false,
    folded,
    fold = folded === undefined ? undefined : () => 's.folded',
  } = DIMENSION_COLUMNS[by];
  const once = isList ? `spelling = ${value}[1]` : undefined;
  const sums = Object.entries(amountsOf(filter)).flatMap(([name, amount]) => [
    `sum(${amount}) AS ${name}`,
    `${once === undefined ? name : `sumIf(${amount}, ${once})`} AS once_${name}`,
  ]);
  const { sql, params } = ordersOf(
    filter,
    `${isList ? `arrayJoin(if(empty(${value}), [''], ${value}))` : value} AS spelling, ${folded === undefined ? '' : `toString(${folded}) AS folded, `}${fold === undefined ? '' : 'max(o.placed_at) AS placed, '}${sums.join(', ')}`,
    countedIn(filter),
  );
  const spellings = `${sql} GROUP BY spelling${folded === undefined ? '' : ', folded'}`;
  if (fold === undefined)
    return { from: `SELECT toString(spelling) AS key, key AS name, * FROM (${spellings})`, params };
  const added = NAMES.flatMap((name) => [name, `once_${name}`]).map((name) => `sum(s.${name}) AS ${name}`);
  return {
    from: `SELECT ${fold('toString(s.spelling)')} AS key, argMax(toString(s.spelling), (s.placed, s.spelling)) AS name, ${added.join(', ')}
      FROM (${spellings}) AS s GROUP BY key`,
    params,
  };
}

const AFTER = `{afterValue:Decimal(76, ${EXACT_DECIMALS})}`;

/** Sums over counted orders, exact. */
export type BreakdownSums = ReturnType<typeof toSums>;

export interface BreakdownGroup extends BreakdownSums {
  /** Empty: orders that have none. */
  key: string;
  /** The spelling of the order placed last; of one moment the last by name. */
  name: string;
  position: BreakdownPosition;
}

export interface BreakdownReader {
  /** A page of the rows; `found` and `totals` are those of all rows on the first page, of those that are left on others. */
  page(query: BreakdownQuery): Promise<{ groups: BreakdownGroup[]; found: number; totals: BreakdownSums }>;
  /** All rows. Throws `not_acceptable` where an amount has more digits than the file holds. */
  file(format: FileFormat, query: Omit<BreakdownQuery, 'after' | 'limit'>): AsyncGenerator<Buffer>;
}

export function createBreakdownReader(warehouse: Warehouse): BreakdownReader {
  return {
    async page(query) {
      const rows = await warehouse.ask(breakdownQuery(query));
      const [first] = rows;
      return {
        groups: rows.map((row) => ({
          ...toSums(row),
          key: row.key,
          name: row.name,
          position: { value: row.position, key: row.key },
        })),
        found: Number(first?.found ?? 0),
        totals: toSums(Object.fromEntries(NAMES.map((name) => [name, first?.[`${TOTAL}${name}`]]))),
      };
    },
    file: (format, query) => streamFile(warehouse, breakdownFile(format, query)),
  };
}

function toSums(row: Partial<Record<SumName, string>>) {
  const sum = (name: SumName) => fraction(row[name] ?? '0');
  return {
    orders: Number(row.orders ?? 0),
    /** Those whose every line has a cost. */
    costed: Number(row.costed ?? 0),
    /** Those with an actual fee or a rule. */
    charged: Number(row.charged ?? 0),
    revenue: sum('revenue'),
    refunds: sum('refunds'),
    cogs: sum('cogs'),
    /** Actual and estimated ones minus refunded ones. */
    fees: plus(sum('actual_fees'), sum('estimated_fees')),
  };
}
