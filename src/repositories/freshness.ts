import { setTimeout as sleep } from 'node:timers/promises';
import { daysWithin } from '../domain/day-ranges.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { Receipt } from '../domain/receipts.js';
import { inChunks } from '../domain/in-chunks.js';
import { formatDay, utcDay } from '../domain/time.js';
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

export interface Freshness {
  requirePush: RequirePush;
  /**
   * Days whose figures do not contain a push yet; null while it is queued. Of a push that was stored some minutes ago, all days of
   * the last {@link YEARS} years that are still to be computed. Throws `invalid_value` if the shop has no such push.
   */
  daysLeft: (shopId: string, receipt: Receipt) => Promise<number | null>;
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
const YEARS = 10;
/** Days that are looked up at once: of so many, each is checked. */
const CHUNK = 1_000;

type DaysOf = Readonly<Record<DirtyLane, readonly number[]>>;

export function createFreshness(deps: FreshnessDeps): Freshness {
  const { receipts, findLogged, dirtyDays, dirtyOrders, takeStamps } = deps;
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
      if (rest <= 0 || waiting >= MOST_WAITING) throw notFreshYet(await left());
      const wait = Math.min(POLL_MS.most, Math.max(POLL_MS.least, (WAIT_MS - rest) * POLL_MS.share));
      waiting++;
      await sleep(Math.min(wait, rest)).finally(() => waiting--);
    }
  };

  /** The push once it is stored; null before. */
  const findStored = async (shopId: string, receipt: Receipt, field: string): Promise<Stored | null> => {
    const state: PushState | null = await receipts.find(receipt.batchId);
    if (state !== null && state.shopId !== shopId) throw unknownReceipt(field);
    if (state?.kind === 'under_way') return null;
    if (state !== null) return state;
    const kind = await findLogged(shopId, receipt);
    if (kind === null) throw unknownReceipt(field);
    return kind === 'orders' || kind === 'product_costs' || kind === 'order_costs' ? 'computed_later' : 'at_once';
  };

  const daysAreDone = (lane: DirtyLane, shopId: string, days: readonly number[], stamp: number) => {
    let open: readonly string[] = days.map(formatDay);
    return async (): Promise<true | null> => {
      open = await dirtyDays.lanes[lane].unfinished(shopId, open, stamp);
      return open.length === 0 ? true : null;
    };
  };

  /** How many of the days are still to be computed, each once. */
  const countOpen = async (shopId: string, days: DaysOf, stamp: number): Promise<number> => {
    const open = new Set<string>();
    for (const lane of DIRTY_LANES) {
      for (const chunk of inChunks(days[lane].map(formatDay), CHUNK)) {
        for (const day of await dirtyDays.lanes[lane].unfinished(shopId, chunk, stamp)) open.add(day);
      }
    }
    return open.size;
  };

  const requirePush: RequirePush = async (shopId, receipt, { range, credits }) => {
    if (receipt === undefined) return;
    const deadline = performance.now() + WAIT_MS;
    const ranges = [range].flat();
    const awaitDays = async (touched: Touched, stamp: number): Promise<void> => {
      const days = eachLane((lane) => daysWithin(touched[lane], ranges));
      for (const lane of DIRTY_LANES) {
        await until(deadline, daysAreDone(lane, shopId, days[lane], stamp), () => countOpen(shopId, days, stamp));
      }
    };

    const stored = await until(
      deadline,
      () => findStored(shopId, receipt, 'after'),
      () => Promise.resolve(null),
    );
    if (stored === 'at_once') return;
    // The days that it touched, and its stamp, are forgotten: wait for all days of the range as of now.
    if (stored === 'computed_later')
      return awaitDays(
        eachLane(() => ranges),
        await takeStamps(),
      );

    const { days, orders } = stored.work;
    await awaitDays(days, stored.stamp);
    if (!credits || orders.length === 0) return;
    let open = orders;
    await until(
      deadline,
      async () => {
        open = await dirtyOrders.unfinished(shopId, open, stored.stamp);
        return open.length === 0 ? true : null;
      },
      () => Promise.resolve(0),
    );
    // Writing their credit marked their days, in either of two lanes.
    const touched = [...days.fresh, ...days.history];
    await awaitDays({ fresh: touched, history: touched, costs: [] }, await takeStamps());
  };

  return {
    requirePush,
    async daysLeft(shopId, receipt) {
      const stored = await findStored(shopId, receipt, 'receipt');
      if (stored === null) return null;
      if (stored === 'at_once') return 0;
      if (stored !== 'computed_later') {
        const days = eachLane((lane) => stored.work.days[lane].flatMap(daysOf));
        return countOpen(shopId, days, stored.stamp);
      }
      const stamp = await takeStamps();
      const today = utcDay(stamp / 1_000) + 1;
      const lately = daysOf({ from: Math.max(0, today - YEARS * 366), to: today });
      return countOpen(
        shopId,
        eachLane(() => lately),
        stamp,
      );
    },
  };
}

type Touched = Readonly<Record<DirtyLane, readonly DayRange[]>>;

const eachLane = <T>(of: (lane: DirtyLane) => T): Record<DirtyLane, T> => ({
  fresh: of('fresh'),
  history: of('history'),
  costs: of('costs'),
});

const daysOf = ({ from, to }: DayRange): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A stored push. Of one that was stored long ago only its kind is known: whether days may still have to be computed. */
type Stored = Extract<PushState, { kind: 'stored' }> | 'at_once' | 'computed_later';

function unknownReceipt(field: string): RequestError {
  return requestError('invalid_value', `${field} must be the receipt of a push of this shop.`, field);
}

function notFreshYet(daysLeft: number | null): RequestError {
  const message = 'The push that after names is taken and not in these figures yet; ask again.';
  return new RequestError([{ code: 'not_fresh_yet', message, field: 'after', days_left: daysLeft }], 1);
}
