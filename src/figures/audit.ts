import { catalogOf } from '../domain/audit/catalog.js';
import { addFacts, addOrder, addSpend, rollupLedger } from '../domain/audit/day-ledger.js';
import { add, differences, type Difference, type Ledger } from '../domain/audit/ledger.js';
import { daysOf, expectedOn, storedOn, unfinishedOn } from '../domain/audit/order-ledger.js';
import {
  newest,
  orderCostKey,
  withCosts,
  type AuditedKey,
  type AuditedOrder,
  type AuditedOrderDay,
} from '../domain/audit/audited-rows.js';
import { whole } from '../domain/money.js';
import { REBUILD_LANES, type RebuildQueues } from '../redis/rebuild-queues.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { AuditedDays, CompareDays } from '../warehouse/queries/audit-checksums.js';
import { MAX_ROWS, type AuditedDay, type AuditReader, type Slice } from '../warehouse/queries/audit.js';

export interface AuditDeps {
  reader: AuditReader;
  compareDays: CompareDays;
  rebuildQueues: Pick<RebuildQueues, 'lanes'>;
  takeStamps: TakeStamps;
}

/** Days of a shop that have rows, by what is known of them. */
export interface CheckedDays {
  /** The last day that was looked at: a range of many rows is cut short. */
  to: string;
  right: string[];
  behind: string[];
  /** Something in them differs, or a write is under way. */
  suspect: string[];
}

/** Finds the days of a range whose checksums differ: for {@link AuditDay}, which names what does. */
export type CheckDays = (of: AuditedDays) => Promise<CheckedDays>;

/**
 * Recomputes a day from the newest stored rows, order by order, and compares the result with the rows of `order_days` and with the
 * rollups. It uses neither SQL nor the code that wrote them. Attribution is not audited. It reads one thing after the other, so that
 * it takes no more CPU than time.
 */
export type AuditDay = (of: AuditedDay) => Promise<readonly Difference[] | Unaudited>;

/** The day waits for its rebuild, or has more spend, unit costs or products than memory should hold. */
export type Unaudited = 'behind' | 'too large';

/** Orders in memory at the same time. */
const SLICE_ORDERS = 1_000;
/** Differences of a day that are listed; one fault may show in many. */
const MAX_DIFFERENCES = 100;

/** Those of the days that wait for a rebuild. */
async function openDays(
  { rebuildQueues, takeStamps }: Pick<AuditDeps, 'rebuildQueues' | 'takeStamps'>,
  shopId: string,
  days: readonly string[],
): Promise<Set<string>> {
  const stamp = await takeStamps();
  const open = REBUILD_LANES.map((lane) => rebuildQueues.lanes[lane].unfinished(shopId, days, stamp));
  return new Set((await Promise.all(open)).flat());
}

export function createCheckDays({ compareDays, ...deps }: Omit<AuditDeps, 'reader'>): CheckDays {
  return async (of) => {
    const { to, days } = await compareDays(of);
    const checked: CheckedDays = { to, right: [], behind: [], suspect: [] };
    const open = await openDays(
      deps,
      of.shopId,
      days.map(({ day }) => day),
    );
    for (const { day, isRight } of days) checked[open.has(day) ? 'behind' : isRight ? 'right' : 'suspect'].push(day);
    return checked;
  };
}

export function createAuditDay({ reader, ...deps }: Omit<AuditDeps, 'compareDays'>): AuditDay {
  const isBehind = async ({ shopId, day }: AuditedDay): Promise<boolean> =>
    (await openDays(deps, shopId, [day])).size > 0;

  /** Compares the orders of a slice with their rows by day, and adds them to the ledger of the day. */
  const auditSlice = async (
    of: AuditedDay,
    slice: Slice,
    addTo: (order: AuditedOrder) => void,
  ): Promise<Difference[]> => {
    const orders = await reader.orders(of, slice);
    const orderDays = await reader.orderDays(of, slice);
    const keys = await reader.keys(of, slice);
    const costs = newest(await reader.orderCosts(of, slice), orderCostKey);
    const stored: Ledger = new Map();
    const computed: Ledger = new Map();
    const placedHere = new Set<string>();
    for (const row of newest<AuditedOrderDay>(orderDays, ({ order_id }) => order_id).values())
      copy(storedOn(row), stored);
    for (const order of newest<AuditedOrder>(orders, (row) =>
      JSON.stringify([row.order_id, row.placed_day]),
    ).values()) {
      copy(expectedOn(of.day, order), computed);
      addTo(withCosts(order, costs));
      if (order.placed_day !== of.day) continue;
      placedHere.add(order.order_id);
      for (const day of daysOf(order)) add(computed, `order_keys[${order.order_id}].${day} ${order.version}`, whole(1));
    }
    for (const key of newest<AuditedKey>(keys, (row) => JSON.stringify([row.order_id, row.day])).values()) {
      // Orders that have left the day are audited on their new day.
      if (placedHere.has(key.order_id)) add(stored, `order_keys[${key.order_id}].${key.day} ${key.version}`, whole(1));
    }
    return differences(stored, computed);
  };

  return async (of) => {
    if (await isBehind(of)) return 'behind';
    const count = await reader.countOrders(of);
    const costs = await reader.costs(of);
    const spend = await reader.spend(of);
    const rollups = await reader.rollups(of);
    const lists = [costs, spend.rows, spend.clears, ...rollups.products.map(({ products }) => products)];
    if (lists.some((list) => list.length > MAX_ROWS)) return 'too large';
    const unitCostOn = catalogOf(costs);
    const computed: Ledger = new Map();
    const found: Difference[] = [];
    for (const slice of slicesOf(count)) {
      const own = await auditSlice(of, slice, (order) => addOrder(computed, of.day, order, unitCostOn));
      found.push(...own.slice(0, MAX_DIFFERENCES - found.length));
    }
    addSpend(computed, spend.rows, spend.clears);
    addFacts(computed);
    found.push(...differences(rollupLedger(rollups), computed));
    if (found.length > 0 && (await isBehind(of))) return 'behind';
    return found.slice(0, MAX_DIFFERENCES);
  };
}

/** Ids of orders placed on a day whose write ended before all their rows were stored, see `unfinishedOn`. */
export async function* unfinishedOrders(reader: AuditReader, of: AuditedDay): AsyncGenerator<string[]> {
  for (const slice of slicesOf(await reader.countOrders(of))) {
    const [orders, keys] = await Promise.all([reader.orders(of, slice), reader.keys(of, slice)]);
    yield unfinishedOn(of.day, orders, keys);
  }
}

function slicesOf(orders: number): Slice[] {
  const count = Math.max(1, Math.ceil(orders / SLICE_ORDERS));
  return Array.from({ length: count }, (_, index) => ({ index, count }));
}

function copy(from: Ledger, to: Ledger): void {
  for (const [name, amount] of from) to.set(name, amount);
}

/** Differences that both audits found: those of a write that was under way are gone in the second. */
export function lasting(first: readonly Difference[], second: readonly Difference[]): Difference[] {
  const known = new Set(first.map((difference) => JSON.stringify(difference)));
  return second.filter((difference) => known.has(JSON.stringify(difference)));
}
