import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import { rebuildRollups } from '../../warehouse/queries/rollups.js';
import { rebuildSpend } from '../../warehouse/queries/spend.js';
import { creditOrders } from '../../../workers/attribution.js';
import { LOOK_BACK_MS } from '../../domain/attribution/attribution.js';
import { inChunks } from '../../domain/in-chunks.js';
import { LAST_DAY, MS_PER_DAY } from '../../domain/time.js';
import { ordersWithEvents, rejudgeEvents, shopsWithEvents } from '../../warehouse/queries/event-arrivals.js';
import { createProgress } from '../../operations/progress.js';
import { chosenDays, type DayChoice } from './chosen-days.js';

export interface RebuildOptions extends DayChoice {
  /** Days that events are kept. */
  eventRetentionDays: number;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

const DAYS_PER_STEP = 30;
const ORDERS_PER_STEP = 500;
/** One day for clocks that differ, one for time zones, and the day that has just begun. */
const SLACK_DAYS = 3;

/**
 * Recomputes everything that is derived from the stored rows, while the service runs: channels of events, credit of orders, and the
 * rollups of every stored day, newest first. Returns the number of days.
 */
export async function runRebuild(stores: Stores, options: RebuildOptions): Promise<number> {
  const { stderr, signal } = options;
  const days = await chosenDays(stores.warehouse, options);
  await rebuildCredits(stores, options);
  const progress = createProgress({ stream: stderr, label: 'days', total: days.length });
  try {
    let done = 0;
    for (const step of inChunks(days, DAYS_PER_STEP)) {
      signal.throwIfAborted();
      await rebuildRollups(stores.warehouse, step, stores.takeStamps, { all: true });
      await rebuildSpend(stores.warehouse, step, await stores.takeStamps());
      progress.update((done += step.length));
    }
  } finally {
    progress.stop();
  }
  return days.length;
}

/** Orders whose touches may have expired with old events keep their credit. */
async function rebuildCredits(stores: Stores, options: RebuildOptions): Promise<void> {
  const { shop, from = '', to = LAST_DAY, eventRetentionDays, signal } = options;
  const { warehouse } = stores;
  const oldest = stores.now() - eventRetentionDays * MS_PER_DAY + LOOK_BACK_MS + SLACK_DAYS * MS_PER_DAY;
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
