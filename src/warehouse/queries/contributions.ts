import type { GatewayFeeRule } from '../../domain/costs/gateway-fees.js';
import { kindOf, PARTS, type ContributionFilter, type Part, type Signs } from '../../domain/metrics/contributions.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { fraction, type Fraction } from '../../domain/money.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { QueryParams, Warehouse } from '../client.js';
import { literal } from '../sql.js';
import { entries } from './contribution-parts.js';
import type { Query } from './metrics.js';

/** What an explanation lists: the entries of a figure, over a range of days. */
export interface ContributionQuery {
  shopId: string;
  range: DayRange;
  signs: Signs;
  filter: ContributionFilter;
  currency: string;
  rules: readonly GatewayFeeRule[];
}

export const CONTRIBUTION_ORDERS = ['time', 'amount'] as const;
export type ContributionOrder = (typeof CONTRIBUTION_ORDERS)[number];

/** Where an entry stands among all: it changes only with the entry itself. */
export interface ContributionPosition {
  amount: string;
  /** Day number. */
  day: number;
  id: string;
  /** Index in PARTS. */
  part: number;
  sub: string;
  item: number;
}

export interface ContributionPage extends ContributionQuery {
  order: ContributionOrder;
  /** About how many orders there are on each day. */
  ordersOn: ReadonlyMap<number, number>;
  /** The last entry of the page before. */
  after?: ContributionPosition | undefined;
  limit: number;
}

/** One entry as the warehouse gives it. */
export interface ContributionRow {
  part: number;
  amount: string;
  day: string;
  id: string;
  sub: string;
  item: number;
  placed_day: string;
  version: string;
  line_id: string;
  sku: string;
  quantity: string;
  cost: string;
  cost_from: string;
  cost_since: string;
  facts: string[];
}

/** Orders that the first look at a long list reads; each further look reads four times as many. */
const FIRST_ORDERS = 2_000;

const AFTER_ORDERS = PARTS.indexOf('spend');
/**
 * Newest day first, and on a day order by order, then spend and expenses. What is the same in every row of a query is
 * materialized: with a constant among the keys, ORDER BY … LIMIT of more than 65,409 rows leaves out some that belong in.
 */
const BY_TIME = `-toInt32(e.day), materialize(e.part >= ${AFTER_ORDERS}), e.id, materialize(e.part), materialize(e.sub), materialize(e.item)`;
const KEY = { time: BY_TIME, amount: `-e.amount, ${BY_TIME}` };
const AFTER_TIME = `-toInt32({afterDay:Date}), {afterPart:UInt8} >= ${AFTER_ORDERS}, {afterId:String}, {afterPart:UInt8}, {afterSub:String}, {afterItem:UInt32}`;
const AFTER = { time: AFTER_TIME, amount: `-CAST({afterAmount:String}, 'Decimal(76, 6)'), ${AFTER_TIME}` };

/** A page of entries: newest first, or largest first. */
export function contributionsQuery(page: ContributionPage): Query {
  const { order, after, limit } = page;
  const { with: clause, union } = entries(page.signs, page.filter, page.rules);
  return {
    sql: `${clause}
  SELECT e.part AS part, e.amount AS amount, toString(e.day) AS day, e.id AS id, e.sub AS sub, e.item AS item,
    toString(e.placed_day) AS placed_day, toString(e.version) AS version, e.line_id AS line_id, e.sku AS sku,
    e.quantity AS quantity, e.cost AS cost, e.cost_from AS cost_from, toString(e.cost_since) AS cost_since, e.facts AS facts
  FROM (
    ${union}
  ) AS e${after === undefined ? '' : `\n  WHERE (${KEY[order]}) > (${AFTER[order]})`}
  ORDER BY ${KEY[order]} LIMIT {limit:UInt32}`,
    params: { ...entryParams(page), limit, ...(after !== undefined && afterParams(after)) },
  };
}

/** The sum of all entries, exact without expenses, and that of their rounded amounts. */
export function contributionSumsQuery(query: ContributionQuery): Query {
  const { with: clause, union } = entries(query.signs, query.filter, query.rules);
  const expenses = PARTS.flatMap((part, i) => (kindOf(part) === 'expense' ? [i] : [])).join(', ');
  return {
    sql: `${clause}
  SELECT sumIf(e.exact, e.part NOT IN (${expenses})) AS exact, sum(e.amount) AS rounded
  FROM (
    ${union}
  ) AS e`,
    params: entryParams(query),
  };
}

function entryParams({ shopId, range, filter, currency }: ContributionQuery): QueryParams {
  const { sku, channel, gateway } = filter;
  return {
    shop: shopId,
    first: formatDay(range.from),
    last: formatDay(range.to),
    currency,
    ...(sku !== undefined && { sku }),
    ...(channel !== undefined && { channel }),
    ...(gateway !== undefined && { gateway }),
  };
}

function afterParams({ amount, day, id, part, sub, item }: ContributionPosition): QueryParams {
  return {
    afterAmount: amount,
    afterDay: formatDay(day),
    afterId: id,
    afterPart: part,
    afterSub: sub,
    afterItem: item,
  };
}

/** What `orders` and their attribution say of the entries of a page, by {@link orderKey}. */
export interface OrderFacts {
  version: string;
  lineIds: string[];
  channel: string;
}

export function orderKey({ placed_day, id }: Pick<ContributionRow, 'placed_day' | 'id'>): string {
  return `${placed_day} ${id}`;
}

export function orderFactsQuery(shopId: string, rows: readonly ContributionRow[]): Query {
  const keys = [...new Map(rows.map((row) => [orderKey(row), row])).values()];
  const list = keys.map((row) => `('${row.placed_day}', ${literal(row.id)})`).join(', ');
  return {
    sql: `SELECT toString(o.placed_day) AS placed_day, o.order_id AS id, toString(o.version) AS version,
    o.line_items.line_id AS line_ids, toString(a.last_touch) AS channel
  FROM (
    SELECT placed_day, order_id, version, line_items.line_id FROM orders FINAL
    WHERE shop_id = {shop:String} AND (placed_day, order_id) IN (${list})
  ) AS o
  LEFT JOIN (
    SELECT placed_day, order_id, last_touch FROM order_attribution FINAL
    WHERE shop_id = {shop:String} AND (placed_day, order_id) IN (${list})
  ) AS a ON o.placed_day = a.placed_day AND o.order_id = a.order_id`,
    params: { shop: shopId },
  };
}

export interface ContributionReader {
  page(query: ContributionPage): Promise<ContributionRow[]>;
  sums(query: ContributionQuery): Promise<{ exact: Fraction; rounded: Fraction }>;
  orders(shopId: string, rows: readonly ContributionRow[]): Promise<Map<string, OrderFacts>>;
}

export function createContributionReader(warehouse: Warehouse): ContributionReader {
  const run = <Row>({ sql, params }: Query): Promise<Row[]> => warehouse.query<Row>(sql, params);

  /**
   * What a figure adds stands before what it takes off, which few readers go on to: the first page of a profit over 82,000
   * orders takes 102 ms of CPU that way, and 386 ms when all is sorted at once.
   */
  const byAmount = async (query: ContributionPage): Promise<ContributionRow[]> => {
    const found: ContributionRow[] = [];
    const reached = query.after === undefined ? 1 : (query.signs[partOf(query.after)] ?? 1);
    for (const sign of [1, -1]) {
      const signs = Object.fromEntries(Object.entries(query.signs).filter(([, own]) => own === sign));
      if (sign > reached || Object.keys(signs).length === 0 || found.length === query.limit) continue;
      const after = sign === reached ? query.after : undefined;
      const part = contributionsQuery({ ...query, signs, after, limit: query.limit - found.length });
      found.push(...(await run<ContributionRow>(part)));
    }
    return found;
  };
  return {
    async page(query) {
      if (query.order === 'amount') return byAmount(query);
      // From the newest day on, over no more days than the page needs, so that its price does not grow with the range.
      const found: ContributionRow[] = [];
      let last = Math.min(query.after?.day ?? query.range.to, query.range.to);
      for (let most = FIRST_ORDERS; last >= query.range.from && found.length < query.limit; most *= 4) {
        const range = { from: firstDay(query, last, most), to: last };
        const part = contributionsQuery({ ...query, range, limit: query.limit - found.length });
        found.push(...(await run<ContributionRow>(part)));
        last = range.from - 1;
      }
      return found;
    },
    async sums(query) {
      const [row] = await run<{ exact: string; rounded: string }>(contributionSumsQuery(query));
      return { exact: fraction(row?.exact ?? '0'), rounded: fraction(row?.rounded ?? '0') };
    },
    async orders(shopId, rows) {
      if (rows.length === 0) return new Map();
      const found = await run<{ placed_day: string; id: string; version: string; line_ids: string[]; channel: string }>(
        orderFactsQuery(shopId, rows),
      );
      return new Map(
        found.map((row) => [
          orderKey(row),
          { version: row.version, lineIds: row.line_ids, channel: row.channel === '' ? 'unattributed' : row.channel },
        ]),
      );
    },
  };
}

/** The earliest day from which on, up to the last, there are no more orders than that; at least one day. */
function firstDay({ range, ordersOn }: ContributionPage, last: number, most: number): number {
  let day = last;
  let orders = ordersOn.get(day) ?? 0;
  while (day > range.from) {
    orders += ordersOn.get(day - 1) ?? 0;
    if (orders > most) break;
    day--;
  }
  return day;
}

/** Where a row stands. */
export function positionOf(row: ContributionRow): ContributionPosition {
  const { amount, id, part, sub, item } = row;
  return { amount, day: parseDay(row.day) ?? 0, id, part, sub, item };
}

export function partOf({ part }: Pick<ContributionRow, 'part'>): Part {
  const name = PARTS[part];
  if (name === undefined) throw new RangeError(`no part ${part}`);
  return name;
}
