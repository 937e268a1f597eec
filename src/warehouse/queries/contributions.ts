import { Type } from 'typebox';
import { kindOf, type ContributionFilter } from '../../domain/metrics/contributions.js';
import { PARTS, type Part, type Signs } from '../../domain/metrics/figure-list.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay, parseDay } from '../../domain/time.js';
import { defineQuery, texts, type Query, type QueryParams, type RowOf } from '../query.js';
import { leastShown } from './contribution-orders.js';
import { entries, entryCounts, type EntrySettings } from './contribution-parts.js';

/** What an explanation lists: the entries of a figure, over a range of days. */
export interface ContributionQuery extends EntrySettings {
  shopId: string;
  range: DayRange;
  signs: Signs;
  filter: ContributionFilter;
  currency: string;
}

export interface ContributionCount extends ContributionQuery {
  /** Every line that was sold on the days has a unit cost. */
  isCosted: boolean;
}

export const CONTRIBUTION_ORDERS = ['time', 'amount'] as const;
export type ContributionOrder = (typeof CONTRIBUTION_ORDERS)[number];

/** The place of an entry among all: it changes only with the entry itself. */
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

const ENTRIES = defineQuery('entries of a figure', {
  part: Type.Number(),
  ...texts('amount', 'day', 'id', 'sub'),
  item: Type.Number(),
  ...texts('placed_day', 'version', 'line_id', 'sku', 'quantity', 'cost', 'cost_from', 'cost_since'),
  facts: Type.Array(Type.String()),
});
const ENTRY_COUNTS = defineQuery('counts of the entries of a figure', texts('entries', 'fractional', 'beyond'));
const ENTRY_SUMS = defineQuery('sums of the entries of a figure', texts('count', 'exact', 'rounded'));
/** One entry as the warehouse gives it. */
export type ContributionRow = RowOf<typeof ENTRIES>;

const AFTER_ORDERS = PARTS.indexOf('spend');
/**
 * Newest day first, and on a day order by order, then spend and expenses. What is the same in every row of a query is
 * materialized: with a constant among the keys, ORDER BY … LIMIT of more than 65,409 rows leaves out some that belong in.
 */
const BY_TIME = `-toInt32(e.day), materialize(e.part >= ${AFTER_ORDERS}), e.id, materialize(e.part), materialize(e.sub), materialize(e.item)`;
export const KEY = { time: BY_TIME, amount: `-e.amount, ${BY_TIME}` };
const AFTER_TIME = `-toInt32({afterDay:Date}), {afterPart:UInt8} >= ${AFTER_ORDERS}, {afterId:String}, {afterPart:UInt8}, {afterSub:String}, {afterItem:UInt32}`;
const AFTER = { time: AFTER_TIME, amount: `-CAST({afterAmount:String}, 'Decimal(76, 6)'), ${AFTER_TIME}` };

/** A page of entries: newest first, or largest first. */
export function contributionsQuery(page: ContributionPage): Query<ContributionRow> {
  const { order, after, limit } = page;
  const least = order === 'amount' && page.signs.sale === 1 ? leastShown(after === undefined) : undefined;
  const { with: clause, union } = entries(page.signs, page.filter, page, least);
  return ENTRIES(
    `${clause}
  SELECT e.part AS part, e.amount AS amount, toString(e.day) AS day, e.id AS id, e.sub AS sub, e.item AS item,
    toString(e.placed_day) AS placed_day, toString(e.version) AS version, e.line_id AS line_id, e.sku AS sku,
    e.quantity AS quantity, e.cost AS cost, e.cost_from AS cost_from, toString(e.cost_since) AS cost_since, e.facts AS facts
  FROM (
    ${union}
  ) AS e${after === undefined ? '' : `\n  WHERE (${KEY[order]}) > (${AFTER[order]})`}
  ORDER BY ${KEY[order]} LIMIT {limit:UInt32}`,
    { ...entryParams(page), limit, ...(after !== undefined && afterParams(after)) },
  );
}

/** How many entries there are, their sum, exact without expenses, and that of their rounded amounts. */
export function contributionSumsQuery(query: ContributionQuery): Query<RowOf<typeof ENTRY_SUMS>> {
  const { with: clause, union } = entries(query.signs, query.filter, query);
  const expenses = PARTS.flatMap((part, i) => (kindOf(part) === 'expense' ? [i] : [])).join(', ');
  return ENTRY_SUMS(
    `${clause}
  SELECT toString(count()) AS count, sumIf(e.exact, e.part NOT IN (${expenses})) AS exact, sum(e.amount) AS rounded
  FROM (
    ${union}
  ) AS e`,
    entryParams(query),
  );
}

/**
 * Most shops know few costs of orders apart from the orders, or none. The usual algorithm deals the orders out to threads for such a
 * join, which takes 110 ms of CPU more of 10^6.
 */
const FEW_COSTS = "SETTINGS join_algorithm = 'hash'";

/** Of a whole figure, without a filter: see {@link entryCounts}. */
export function contributionCountsQuery(query: ContributionCount): Query<RowOf<typeof ENTRY_COUNTS>> {
  return ENTRY_COUNTS(
    `SELECT toString(sum(e.entries)) AS entries, toString(sum(e.fractional)) AS fractional, sum(e.beyond) AS beyond
  FROM (
    ${entryCounts(query.signs, query, query.isCosted)}
  ) AS e ${FEW_COSTS}`,
    entryParams(query),
  );
}

export function entryParams({ shopId, range, filter, currency }: ContributionQuery): QueryParams {
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

/** The place of a row. */
export function positionOf(row: ContributionRow): ContributionPosition {
  const { amount, id, part, sub, item } = row;
  return { amount, day: parseDay(row.day) ?? 0, id, part, sub, item };
}

export function partOf({ part }: Pick<ContributionRow, 'part'>): Part {
  const name = PARTS[part];
  if (name === undefined) throw new RangeError(`no part ${part}`);
  return name;
}
