import { setTimeout as sleep } from 'node:timers/promises';
import type { DayRange } from '../domain/metrics/range.js';
import type { Receipt } from '../domain/receipts.js';
import { formatDay } from '../domain/time.js';
import { RequestError, requestError } from '../errors.js';
import { REBUILD_LANES, type RebuildQueues } from '../redis/rebuild-queues.js';
import type { RebuildQueue } from '../redis/rebuild-queue.js';
import type { Receipts } from '../redis/receipts.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { FindLogged } from '../warehouse/queries/ingest-log.js';

export interface FreshnessDeps {
  receipts: Pick<Receipts, 'find'>;
  findLogged: FindLogged;
  rebuildQueues: Pick<RebuildQueues, 'lanes'>;
  attributionQueue: Pick<RebuildQueue, 'open'>;
  takeStamps: TakeStamps;
}

/** The figures that a request reads. */
export interface Reading {
  range: DayRange | readonly DayRange[];
  /** Whether it reads the credit of orders to channels. */
  credits: boolean;
}

export interface Freshness {
  requirePush: RequirePush;
  /**
   * Days of the shop whose figures do not contain the push and all earlier ones yet; null while any of them is queued. Throws
   * `invalid_value` if the shop has no such push.
   */
  daysLeft: (shopId: string, receipt: Receipt) => Promise<number | null>;
  /** Days of the shop that are still to be computed from what is stored. */
  openDays: (shopId: string) => Promise<number>;
}

/**
 * Resolves once the figures of the range contain the push and all pushes of the shop that were accepted before it, but for those that
 * failed for good; immediately without a receipt. Throws `invalid_value` if the shop has no such push, and `not_fresh_yet` after
 * {@link WAIT_MS}, or immediately while too many requests wait.
 */
export type RequirePush = (shopId: string, receipt: Receipt | undefined, reading: Reading) => Promise<void>;

const WAIT_MS = 4_800;
/** Time to the next poll: a tenth of the time waited so far, within these bounds. A request polls about thirty times at most. */
const POLL_MS = { least: 20, most: 200, share: 0.1 };
/** Most waiting requests of this process; each polls Redis some times a second. */
const MAX_WAITING = 300;
/** Most days that are counted in a lane. */
const MAX_COUNTED = 10_000;

export function createFreshness(deps: FreshnessDeps): Freshness {
  const { receipts, findLogged, rebuildQueues, attributionQueue, takeStamps } = deps;
  let waiting = 0;

  /** Repeats a look-up until its result is not null. */
  const until = async <T>(
    deadline: number,
    ask: () => Promise<T | null>,
    left: () => Promise<number | null>,
  ): Promise<T> => {
    for (;;) {
      const answer = await ask();
      if (answer !== null) return answer;
      const rest = deadline - performance.now();
      if (rest <= 0 || waiting >= MAX_WAITING) throw notFreshYet(await left());
      const wait = Math.min(POLL_MS.most, Math.max(POLL_MS.least, (WAIT_MS - rest) * POLL_MS.share));
      waiting++;
      await sleep(Math.min(wait, rest)).finally(() => waiting--);
    }
  };

  /** A stamp from after the push and all earlier ones were stored and had queued their days; null before. */
  const findCovered = async (shopId: string, receipt: Receipt, field: string): Promise<number | null> => {
    const push = { shopId, batchId: receipt.batchId };
    let state = await receipts.find(push);
    if (state.kind === 'unknown' && (await findLogged(shopId, receipt)) !== null) {
      state = await receipts.find(push, { isLogged: true });
    }
    if (state.kind === 'unknown' || state.kind === 'foreign') {
      throw requestError('invalid_value', `${field} must be the receipt of a push of this shop.`, field);
    }
    return state.kind === 'covered' ? state.stamp : null;
  };

  /** Days that are still to be computed, each once. */
  const countOpen = async (shopId: string, stamp: number, ranges?: Ranges): Promise<number> => {
    const query = { stamp, limit: MAX_COUNTED, ...(ranges && { ranges }) };
    const days = await Promise.all(REBUILD_LANES.map((lane) => rebuildQueues.lanes[lane].open(shopId, query)));
    return new Set(days.flat()).size;
  };

  const requirePush: RequirePush = async (shopId, receipt, { range, credits }) => {
    if (receipt === undefined) return;
    const deadline = performance.now() + WAIT_MS;
    const ranges = [range]
      .flat()
      .flatMap(({ from, to }) => (from > to ? [] : [[formatDay(from), formatDay(to)] as const]));
    const isDone = (queue: Pick<RebuildQueue, 'open'>, query: { stamp: number; ranges?: Ranges }) => async () =>
      (await queue.open(shopId, { ...query, limit: 1 })).length === 0 ? true : null;
    const awaitDays = async (stamp: number): Promise<void> => {
      for (const lane of ranges.length === 0 ? [] : REBUILD_LANES) {
        const left = () => countOpen(shopId, stamp, ranges);
        await until(deadline, isDone(rebuildQueues.lanes[lane], { stamp, ranges }), left);
      }
    };

    const covered = await until(
      deadline,
      () => findCovered(shopId, receipt, 'after'),
      () => Promise.resolve(null),
    );
    await awaitDays(covered);
    if (!credits) return;
    await until(deadline, isDone(attributionQueue, { stamp: covered }), () => Promise.resolve(0));
    // Writing their credit queued their days.
    await awaitDays(await takeStamps());
  };

  return {
    requirePush,
    async daysLeft(shopId, receipt) {
      const covered = await findCovered(shopId, receipt, 'receipt');
      return covered === null ? null : countOpen(shopId, covered);
    },
    openDays: async (shopId) => countOpen(shopId, await takeStamps()),
  };
}

type Ranges = readonly (readonly [string, string])[];

function notFreshYet(daysLeft: number | null): RequestError {
  const message = 'The push that after names, or an earlier one, is taken and not in these figures yet; ask again.';
  return new RequestError([{ code: 'not_fresh_yet', message, field: 'after', days_left: daysLeft }], 1);
}
