import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import { rebuildRollups, storedDays } from '../../warehouse/queries/rollups.js';
import { rebuildSpend } from '../../warehouse/queries/spend.js';
import { creditOrders } from '../../../workers/attribution.js';
import { lookBackMs } from '../../domain/attribution/attribution.js';
import { ordersWithEvents, rejudgeEvents, shopsWithEvents } from '../../warehouse/queries/event-arrivals.js';
import { parseDay } from '../../domain/time.js';
import { createProgress } from '../import/progress.js';

export interface RebuildOptions {
  shop?: string;
  /** `YYYY-MM-DD`, inclusive. */
  from?: string;
  to?: string;
  /** Days that events are kept. */
  eventRetentionDays: number;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

const DAYS_PER_STEP = 30;
const ORDERS_PER_STEP = 500;
/** A day for clocks that differ, a day for time zones, and one that has only begun. */
const SLACK_DAYS = 3;
const DAY_MS = 86_400_000;

/**
 * Computes afresh, beside a running service, what follows from the stored rows: channels of events, credit of orders, and the
 * rollups of every stored day, newest first. Returns the number of days.
 */
export async function runRebuild(stores: Stores, options: RebuildOptions): Promise<number> {
  const { shop, from, to, stderr, signal } = options;
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && parseDay(day) === null) throw new RangeError(`--${name} must be a day such as 2026-03-01`);
  await rebuildCredits(stores, options);
  const days = await storedDays(stores.warehouse, {
    ...(shop !== undefined && { shopId: shop }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  });
  const progress = createProgress({ stream: stderr, label: 'days', total: days.length, startDone: 0, startItems: 0 });
  for (let i = 0; i < days.length; i += DAYS_PER_STEP) {
    signal.throwIfAborted();
    const step = days.slice(i, i + DAYS_PER_STEP);
    await rebuildRollups(stores.warehouse, step, stores.takeStamps);
    await rebuildSpend(stores.warehouse, step, await stores.takeStamps());
    progress.update(i + step.length, i + step.length);
  }
  progress.stop();
  return days.length;
}

/** Orders whose touches may be older than what is kept of events keep the credit that they have. */
async function rebuildCredits(stores: Stores, options: RebuildOptions): Promise<void> {
  const { shop, from = '', to = '2148-12-31', eventRetentionDays, signal } = options;
  const { warehouse } = stores;
  const oldest = stores.now() - eventRetentionDays * DAY_MS + lookBackMs + SLACK_DAYS * DAY_MS;
  const first = new Date(oldest).toISOString().slice(0, 10);
  for (const shopId of shop === undefined ? await shopsWithEvents(warehouse) : [shop]) {
    await rejudgeEvents(warehouse, shopId, signal);
    for (let after = ''; ;) {
      signal.throwIfAborted();
      const page = { from: from > first ? from : first, to, after, limit: ORDERS_PER_STEP };
      const orderIds = await ordersWithEvents(warehouse, shopId, page);
      const last = orderIds.at(-1);
      if (last === undefined) break;
      await creditOrders(stores, new Map([[shopId, orderIds]]), {
        version: await stores.takeStamps(),
        lane: 'history',
      });
      after = last;
    }
  }
}
