import { setTimeout as sleep } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import type { SourceRecord } from '../../domain/source.js';
import { zonesVersion } from '../../domain/zones/database.js';
import { createFreshness, type Freshness } from '../../figures/freshness.js';
import { createProgress } from '../../operations/progress.js';
import type { Producer } from '../../queue/producer.js';
import type { Receipt } from '../../domain/receipts.js';
import type { Receipts } from '../../redis/receipts.js';
import { createLoggedFinder } from '../../warehouse/queries/ingest-log.js';
import { hasClockOf } from '../../warehouse/queries/zone-clocks.js';
import type { DayChoice } from '../commands/chosen-days.js';
import { chosenSources, misdatedOrders } from './check-days.js';
import { createMover, type MoverDeps } from './move-orders.js';

export interface MendOptions extends DayChoice {
  stderr: Writable & { isTTY?: boolean };
  print: (line: string) => void;
  signal: AbortSignal;
}

export interface MendTarget {
  stores: Stores;
  producer: Pick<Producer, 'add'>;
  /** Of the queue of orders. */
  receipts: Receipts;
}

export interface MendSummary {
  /** Orders that were written again, on the days of now. */
  moved: number;
  /** Orders that wait in jobs that failed for good. */
  left: number;
}

/** Orders that are written as one push, as many as a push of the API has. */
const ORDERS_A_PUSH = 250;

/**
 * Moves every misdated order to the days that the release of the time zones in this process gives it, shop by shop, while the service
 * runs, and ends when the figures follow. Ended at any moment, the next run does what is left; where nothing is, it changes nothing.
 * Throws an Error for a shop whose workers cut days by another release.
 */
export async function runMend(target: MendTarget, options: MendOptions): Promise<MendSummary> {
  const { stores, receipts } = target;
  const { print, stderr, signal } = options;
  const freshness = createFreshness({ ...stores, receipts, findLogged: createLoggedFinder(stores.warehouse) });
  const summary: MendSummary = { moved: 0, left: 0 };
  const progress = createProgress({ stream: stderr, label: 'orders moved', total: undefined });
  try {
    for await (const source of chosenSources(stores, options)) {
      const own = await mendShop(target, source, options, (moved) => progress.update(summary.moved + moved));
      summary.moved += own.moved;
      summary.left += own.left;
      if (own.last !== null) await untilFigured(freshness, source.shopId, own.last, signal);
      if (own.moved > 0)
        print(`${source.shopId}: ${own.moved} orders moved to their days by ${source.timezone} of ${zonesVersion()}`);
      if (own.left > 0)
        print(
          `${source.shopId}: ${own.left} orders wait in jobs that failed; see "queue failed orders", then run this again`,
        );
    }
  } finally {
    progress.stop();
  }
  return summary;
}

async function mendShop(
  { stores, producer, receipts }: MendTarget,
  source: SourceRecord,
  options: MendOptions,
  onMoved: (moved: number) => void,
): Promise<MendSummary & { last: Receipt | null }> {
  const { signal } = options;
  const { shopId, timezone } = source;
  const warehouse = stores.shards.each[stores.shards.of(shopId)] ?? stores.warehouse;
  const deps: MoverDeps = { redis: stores.redis, warehouse, producer, receipts, now: stores.now, signal };
  const move = createMover(deps, source);
  const done: MendSummary & { last: Receipt | null } = { moved: 0, left: 0, last: null };
  for await (const page of misdatedOrders(stores, source, options, ORDERS_A_PUSH)) {
    // Else the views, or what workers write, would go on by the earlier clock.
    if (!(await hasClockOf(warehouse, shopId, timezone)))
      throw new Error(
        `the service cuts the days of ${timezone} by another release of the time zones than ${zonesVersion()}: start API and workers with that one first, and wait a minute`,
      );
    for (let ids = page.map(({ orderId }) => orderId); ids.length > 0;) {
      const { moved, left, rest, receipt } = await move(ids);
      done.moved += moved;
      done.left += left;
      done.last = receipt ?? done.last;
      ids = rest;
      onMoved(done.moved);
    }
  }
  return done;
}

const POLL_MS = 200;
/** Without any progress, the workers must be away. */
const STANDSTILL_MS = 10 * 60_000;

/** Resolves once the figures of all days contain the push. */
async function untilFigured(
  { daysLeft }: Freshness,
  shopId: string,
  receipt: Receipt,
  signal: AbortSignal,
): Promise<void> {
  let fewest = Infinity;
  for (let since = Date.now(); ;) {
    const left = await daysLeft(shopId, receipt);
    if (left === 0) return;
    if (left !== null && left < fewest) [fewest, since] = [left, Date.now()];
    if (Date.now() - since > STANDSTILL_MS)
      throw new Error(
        `the orders of ${shopId} have moved, and their figures have not followed for ten minutes: do the workers run?`,
      );
    await sleep(POLL_MS, undefined, { signal });
  }
}
