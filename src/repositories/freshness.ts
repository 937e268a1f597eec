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

/** What a request reads. */
export interface Reading {
  range: DayRange | readonly DayRange[];
  /** Whether it reads which channels orders are credited to. */
  credits: boolean;
}

/**
 * Resolves once the figures of the range contain the push; at once without a receipt. Throws `invalid_value` where the shop
 * has no such push, and `not_fresh_yet` after {@link WAIT_MS}, or at once while too many wait.
 */
export type RequirePush = (shopId: string, receipt: Receipt | undefined, reading: Reading) => Promise<void>;

const WAIT_MS = 4_800;
/** A tenth of what was waited already, within these: who waits knows it soon, and polls some thirty times at most. */
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

  /** The push when it is stored, null while it is not. */
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
    // Which days it touched is forgotten, and so is its stamp: all days, as they stand now.
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
    // Their days were marked when their credit was written, in whichever lane.
    const touched = [...days.fresh, ...days.history];
    await awaitDays({ fresh: touched, history: touched, costs: [] }, await takeStamps());
  };
}

/** A push whose rows are stored; one that is long stored only by what there may be left of its kind. */
type Stored = Extract<PushState, { kind: 'stored' }> | 'at_once' | 'computed_later';

function unknownReceipt(): RequestError {
  return requestError('invalid_value', 'after must be the receipt of a push of this shop.', 'after');
}

function notFreshYet(): RequestError {
  const message = 'The push that after names is taken and not in these figures yet; ask again.';
  return new RequestError([{ code: 'not_fresh_yet', message, field: 'after' }], 1);
}
