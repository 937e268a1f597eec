import type { Expense } from '../../../src/domain/costs/expenses.js';
import { toMicros } from '../../../src/domain/micros.js';
import { formatDay } from '../../../src/domain/time.js';
import { toScaled } from '../warehouse/facts.js';
import { keyOf } from '../warehouse/replacing-table.js';
import type { Row } from '../warehouse/row-reader.js';
import type { World } from '../world/world.js';
import { expectedDays, expectedPlaced, type ExpectedDay } from './expected.js';
import { storedDay } from './stored-days.js';
import { checkCredits } from './check-credits.js';
import { checkExpenses } from './check-expenses.js';
import { checkEventCount, firstAttempts } from './check-events.js';
import type { SimulatedItem } from './items.js';
import { countsOver, versionOf, type Claim, type HistoryRecord } from './record.js';

/** Those that are stored, by shop. */
type Expenses = ReadonlyMap<string, readonly Expense[]>;

/** What is untrue after a history: pushed, stored, in days and in rollups must be the same. */
export function checkHistory(world: World, record: HistoryRecord, expenses: Expenses, days: number): string[] {
  const found: string[] = [...record.violations];
  for (const [shopId, stored] of expenses) {
    const claims = record.claims.filter((claim) => claim.shopId === shopId);
    const isForgotten = record.forgottenShops.has(shopId);
    const counting = [...winners(world, record, shopId, found).values()].map(({ item }) => item);
    checkExpenses({ shopId, stored, counting, days }, found);
    if (!isForgotten) {
      compareDays(world, shopId, expectedDays(counting), found);
      comparePlaced(world, shopId, counting, found);
      checkEventCount(world, shopId, claims, found);
      checkCredits(world, shopId, counting, found);
    }
  }
  checkOutcomes(record, isGuardSure(world, record), found);
  checkLog(world, record, found);
  checkRest(world, record, found);
  return found;
}

/** The claim of each key that is stored, which must be one that may be. */
function winners(world: World, record: HistoryRecord, shopId: string, found: string[]): Map<string, Claim> {
  const claims = record.claims.filter((claim) => claim.shopId === shopId);
  const isForgotten = record.forgottenShops.has(shopId);
  const byTag = new Map(
    [...claims, ...firstAttempts(claims)].map((claim) => [claim.item.kind + claim.item.tag, claim]),
  );
  const stored = storedTags(world, shopId, isForgotten, found);
  const winning = new Map<string, Claim>();
  for (const { kind, tag, what } of stored) {
    const claim = byTag.get(kind + tag);
    if (claim === undefined) found.push(`${what}: nobody has pushed ${tag}`);
    else winning.set(kind + claim.item.key, claim);
  }
  for (const claim of claims) {
    if (claim.outcome !== 'accepted' || claim.mayBeForgotten === true) continue;
    const winner = winning.get(claim.item.kind + claim.item.key);
    if (winner === undefined) found.push(`${shopId} ${claim.item.key}: accepted ${claim.item.tag} is not stored`);
    else if (countsOver(claim, winner) && !(claim.item.kind === 'events' && record.hasSkewedClocks)) {
      found.push(`${shopId} ${claim.item.key}: ${winner.item.tag} counts, and ${claim.item.tag} should`);
    }
  }
  return winning;
}

interface Stored {
  kind: string;
  tag: string;
  what: string;
}

function storedTags({ tables }: World, shopId: string, isForgotten: boolean, found: string[]): Stored[] {
  const stored: Stored[] = [];
  const newest = new Map<string, Row>();
  const live = new Map<string, number>();
  for (const key of tables.orders.keys()) {
    const [shop, , orderId = ''] = key.split('\n');
    if (shop !== shopId) continue;
    for (const row of tables.orders.rowsOf(key)) {
      const best = newest.get(orderId);
      if (row.order_name !== undefined && (best === undefined || (row.version as bigint) > (best.version as bigint))) {
        newest.set(orderId, row);
      }
    }
    if (tables.orders.final(key) !== undefined) live.set(orderId, (live.get(orderId) ?? 0) + 1);
  }
  for (const [orderId, row] of newest) {
    stored.push({ kind: 'orders', tag: String(row.order_name), what: `${shopId} ${orderId}` });
    const rows = live.get(orderId) ?? 0;
    const expected = row.is_deleted === 1 ? 0 : 1;
    if (rows !== expected && !isForgotten)
      found.push(`${shopId} ${orderId}: ${rows} live rows of the order instead of ${expected}`);
  }
  for (const [kind, table, column] of [
    ['product_costs', tables.productCosts, 'unit_cost'],
    ['spend', tables.spend, 'spend'],
    ['events', tables.events, 'url_path'],
    ['expenses', tables.expenses, 'amount'],
  ] as const) {
    for (const key of table.keys()) {
      const row = table.final(key);
      if (row?.shop_id === shopId) stored.push({ kind, tag: String(row[column]), what: key.replaceAll('\n', ' ') });
    }
  }
  return stored;
}

const ZERO: ExpectedDay = { orders: 0, revenue: 0n, refunds: 0n, gatewayFees: 0n, cogs: 0n, uncosted: 0, spend: 0n };

const text = (figures: object): string => Object.values(figures).map(String).join(' ');

function compareDays(world: World, shopId: string, expected: ReadonlyMap<number, ExpectedDay>, found: string[]): void {
  const { tables } = world;
  const days = new Set(expected.keys());
  for (const key of [...tables.ofDay.keys(), ...tables.dailyOrders.keys(), ...tables.dailySpend.keys()]) {
    const [shop, day] = key.split('\n');
    if (shop === shopId) days.add(Number(day));
  }
  for (const day of days) {
    const pushed = expected.get(day) ?? ZERO;
    const rollup = tables.dailyOrders.final(keyOf(shopId, day));
    const spend = tables.dailySpend.final(keyOf(shopId, day));
    const inDays = storedDay(tables, shopId, day);
    const inRollups = pick(rollup ?? ZERO, (spend?.accounts as Map<string, bigint> | undefined) ?? new Map());
    const what = `${shopId} ${formatDay(day)}`;
    if (text(pushed) !== text(inDays)) found.push(`${what}: pushed ${text(pushed)}, in days ${text(inDays)}`);
    if (text(inDays) !== text(inRollups)) found.push(`${what}: in days ${text(inDays)}, in rollups ${text(inRollups)}`);
  }
}

function comparePlaced({ tables }: World, shopId: string, items: readonly SimulatedItem[], found: string[]): void {
  const expected = expectedPlaced(items);
  const stored = [...tables.dailyOrders.keys()].filter((key) => key.startsWith(keyOf(shopId, '')));
  for (const key of new Set([...stored, ...Array.from(expected.keys(), (day) => keyOf(shopId, day))])) {
    const day = Number(key.split('\n')[1]);
    const sums = (tables.dailyOrders.final(key)?.placed_sums ?? {}) as Partial<Record<string, string>>;
    const { listed = '0', refunds = '0', gateway_fees = '0', cogs = '0' } = sums;
    const rollup = [Number(listed), toMicros(refunds), toMicros(gateway_fees), toScaled(cogs)].join(' ');
    const pushed = text(expected.get(day) ?? { listed: 0, refunds: 0n, gatewayFees: 0n, cogs: 0n });
    if (rollup !== pushed) found.push(`${shopId} ${formatDay(day)}: placed ${pushed}, in rollups ${rollup}`);
  }
}

function pick(row: object, spend: ReadonlyMap<string, bigint>): ExpectedDay {
  const { orders, revenue, refunds, gatewayFees, cogs, uncosted } = row as ExpectedDay;
  const sum = [...spend.values()].reduce((a, b) => a + b, 0n);
  return { orders, revenue, refunds, gatewayFees, cogs, uncosted, spend: sum };
}

/** Whether the guard could know all versions: it asks the warehouse for what it has forgotten, and goes by clocks. */
const isGuardSure = ({ failedQueries }: World, { hasFailover, hasSkewedClocks }: HistoryRecord): boolean =>
  failedQueries === 0 && !hasFailover && !hasSkewedClocks;

/** Nothing is called superseded without a newer one, and nothing older than what was taken before is accepted. */
function checkOutcomes({ claims }: HistoryRecord, isSure: boolean, found: string[]): void {
  const byKey = new Map<string, Claim[]>();
  for (const claim of claims.filter(({ item }) => item.kind === 'orders')) {
    const key = `${claim.shopId} ${claim.item.key}`;
    byKey.set(key, [...(byKey.get(key) ?? []), claim]);
  }
  for (const [key, list] of byKey) {
    for (const claim of list) {
      const newer = list.filter((other) => versionOf(other) > versionOf(claim));
      if (claim.outcome === 'superseded' && !newer.some((other) => other.begin <= claim.end)) {
        found.push(`${key}: ${claim.item.tag} was superseded by nothing`);
      }
      const known = newer.some((other) => other.outcome === 'accepted' && other.end < claim.begin);
      if (isSure && claim.outcome === 'accepted' && known) {
        found.push(`${key}: ${claim.item.tag} was accepted although a newer one had been`);
      }
    }
  }
}

function checkLog({ tables }: World, { receipts }: HistoryRecord, found: string[]): void {
  for (const { shopId, receipt, accepted } of receipts) {
    const row = tables.ingestLog.final(keyOf(shopId, receipt));
    if (row === undefined) found.push(`${shopId}: the push ${receipt} is not in the log`);
    else if (Number(row.accepted) !== accepted) found.push(`${shopId}: the log has a wrong count for ${receipt}`);
  }
}

/** Nothing is left over in Redis, and what it says is in the warehouse as well. */
function checkRest({ redis, tables }: World, record: HistoryRecord, found: string[]): void {
  const open = redis.execute('zcard', ['reservations']);
  if (open !== 0) found.push(`${String(open)} reservations are left`);
  let ids = 0;
  for (const key of redis.keys.values.keys()) {
    if (key.startsWith('reservation:')) ids += (redis.keys.text(key) ?? '').split('\n').length - 3;
  }
  const count = Number(redis.keys.text('versions:count') ?? 0);
  if (count !== ids) found.push(`${count} reserved ids are counted, and ${ids} are there`);
  for (const shopId of new Set(record.claims.filter(isTaken).map((claim) => claim.shopId))) {
    if (tables.sources.final(shopId)?.locked_at === null) found.push(`${shopId}: its lock is not in the warehouse`);
  }
}

const isTaken = ({ item, outcome, mayBeForgotten }: Claim): boolean =>
  item.kind === 'orders' && outcome === 'accepted' && mayBeForgotten !== true;
