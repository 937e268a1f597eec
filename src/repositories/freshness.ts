import { setTimeout as sleep } from 'node:timers/promises';
import { daysWithin } from '../domain/day-ranges.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { Receipt } from '../domain/receipts.js';
import { formatDay } from '../domain/time.js';
import { RequestError, requestError } from '../errors.js';
import { DIRTY_LANES, type DirtyDays, type DirtyLane } from '../redis/dirty-days.js';
import type { Marks } from '../redis/marks.js';
import type { PushState, Receipts } from '../redis/receipts.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { FindLogged } from '../warehouse/queries/ingest-log.js';

export interface FreshnessDeps {
  receipts: Pick<Receipts, 'find'>;
  findLogged: FindLogged;
  dirtyDays: Pick<DirtyDays, 'lanes'>;
  dirtyOrders: Pick<Marks, 'unfinished'>;
  takeStamps: TakeStamps;
}

/** The figures that a request reads. */
export interface Reading {
  range: DayRange | readonly DayRange[];
  /** Whether it reads the credit of orders to channels. */
  credits: boolean;
}

/**
 * Resolves once the figures of the range contain the push; immediately without a receipt. Throws `invalid_value` if the shop has no such
 * push, and `not_fresh_yet` after {@link WAIT_MS}, or immediately while too many requests wait.
 */
export type RequirePush = (shopId: string, receipt: Receipt | undefined, reading: Reading) => Promise<void>;

const WAIT_MS = 4_800;
/** Time to the next poll: a tenth of the time waited so far, within these bounds. A request polls about thirty times at most. */
const POLL_MS = { least: 20, most: 200, share: 0.1 };
/** Most waiting requests of this process; each polls Redis some times a second. */
const MOST_WAITING = 300;

export function createFreshness(deps: FreshnessDeps): RequirePush {
  const { receipts, findLogged, dirtyDays, dirtyOrders, takeStamps } = deps;
  let waiting = 0;

  /** Repeats a look-up until its result is not null. */
  const until = async <T>(deadline: number, ask: () => Promise<T | null>): Promise<T> => {
    for (;;) {
      const answer = await ask();
      if (answer !== null) return answer;
      const left = deadline - performance.now();
      if (left <= 0 || waiting >= MOST_WAITING) throw notFreshYet();
      const wait = Math.min(POLL_MS.most, Math.max(POLL_MS.least, (WAIT_MS - left) * POLL_MS.share));
      waiting++;
      await sleep(Math.min(wait, left)).finally(() => waiting--);
    }
  };

  /** The push once it is stored; null before. */
  const findStored = async (shopId: string, receipt: Receipt): Promise<Stored | null> => {
    const state: PushState | null = await receipts.find(receipt.batchId);
    if (state !== null && state.shopId !== shopId) throw unknownReceipt();
    if (state?.kind === 'under_way') return null;
    if (state !== null) return state;
    const kind = await findLogged(shopId, receipt);
    if (kind === null) throw unknownReceipt();
    return kind === 'orders' || kind === 'product_costs' ? 'computed_later' : 'at_once';
  };

  const daysAreDone = (lane: DirtyLane, shopId: string, days: readonly number[], stamp: number) => {
    let open: readonly string[] = days.map(formatDay);
    return async (): Promise<true | null> => {
      open = await dirtyDays.lanes[lane].unfinished(shopId, open, stamp);
      return open.length === 0 ? true : null;
    };
  };

  return async (shopId, receipt, { range, credits }) => {
    if (receipt === undefined) return;
    const deadline = performance.now() + WAIT_MS;
    const ranges = [range].flat();
    const awaitDays = async (days: Readonly<Record<DirtyLane, readonly DayRange[]>>, stamp: number): Promise<void> => {
      for (const lane of DIRTY_LANES) {
        await until(deadline, daysAreDone(lane, shopId, daysWithin(days[lane], ranges), stamp));
      }
    };

    const stored = await until(deadline, () => findStored(shopId, receipt));
    if (stored === 'at_once') return;
    // The days that it touched, and its stamp, are forgotten: wait for all days of the range as of now.
    if (stored === 'computed_later')
      return awaitDays({ fresh: ranges, history: ranges, costs: ranges }, await takeStamps());

    const { days, orders } = stored.work;
    await awaitDays(days, stored.stamp);
    if (!credits || orders.length === 0) return;
    let open = orders;
    await until(deadline, async () => {
      open = await dirtyOrders.unfinished(shopId, open, stored.stamp);
      return open.length === 0 ? true : null;
    });
    // Writing their credit marked their days, in either of two lanes.
    const touched = [...days.fresh, ...days.history];
    await awaitDays({ fresh: touched, history: touched, costs: [] }, await takeStamps());
  };
}

/** A stored push. Of one that was stored long ago only its kind is known: whether days may still have to be computed. */
type Stored = Extract<PushState, { kind: 'stored' }> | 'at_once' | 'computed_later';

function unknownReceipt(): RequestError {
  return requestError('invalid_value', 'after must be the receipt of a push of this shop.', 'after');
}

function notFreshYet(): RequestError {
  const message = 'The push that after names is taken and not in these figures yet; ask again.';
  return new RequestError([{ code: 'not_fresh_yet', message, field: 'after' }], 1);
}
