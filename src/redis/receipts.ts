import type { Redis } from 'ioredis';
import { inChunks } from '../domain/in-chunks.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { DirtyLane } from './dirty-days.js';
import { scriptFile } from './script.js';
import { STAMP_KEY } from './stamps.js';

/**
 * The progress of every push that was accepted, in whole or in part, by its batch id:
 *
 * `receipt:{batch}`          the shop, while the push is queued; a second line has the stamp of its flush once it is stored
 * `flush:{stamp}:{shop}`     the work that was open for the shop when the flush was stored, as JSON
 *
 * A stored push is soon computed and then in the ingest log, so these keys may expire.
 */
const STORED_MS = 5 * 60_000;
/** Longer than an outage of the warehouse, or the wait of a dead letter for its retry. */
export const UNDER_WAY_MS = 7 * 24 * 60 * 60_000;

export const receiptKey = (batchId: string): string => `receipt:${batchId}`;
const flushKey = (stamp: string, shopId: string): string => `flush:${stamp}:${shopId}`;

/** Entries per call of the script. */
const CHUNK = 1_000;

/** The work that must be done before figures contain a stored push. */
export interface OpenWork {
  /** Days that were marked, by lane. */
  days: Readonly<Record<DirtyLane, readonly DayRange[]>>;
  /** Orders whose credit was marked. */
  orders: readonly string[];
}

/** The pushes of one shop in a flush, and the work that they leave. */
export interface StoredPushes extends OpenWork {
  batchIds: readonly string[];
}

export type PushState =
  | { kind: 'under_way'; shopId: string }
  /** `stamp` was taken when the rows were stored, before anything was marked. */
  | { kind: 'stored'; shopId: string; stamp: number; work: OpenWork };

export interface Receipts {
  /** Notes a push and reserves `count` arrival stamps for it; gives the first. */
  open(push: { shopId: string; batchId: string; count: number }): Promise<number>;
  /** Notes pushes whose jobs are put back into the queue. */
  reopen(pushes: readonly { shopId: string; batchId: string }[]): Promise<void>;
  /** Notes that the rows of these pushes are stored and their days marked; called before their jobs end. */
  store(stamp: number, pushes: ReadonlyMap<string, StoredPushes>): Promise<void>;
  /** Null if there was no such push, or if it was stored some minutes ago. */
  find(batchId: string): Promise<PushState | null>;
}

export function createReceipts(redis: Redis): Receipts {
  const runOpen = scriptFile(redis, 'open-receipt');
  const runSetAll = scriptFile(redis, 'set-receipts');
  const setAll = async (entries: readonly string[][], lifeMs: number): Promise<void> => {
    for (const chunk of inChunks(entries, CHUNK)) await runSetAll([], { life: lifeMs, entries: chunk.flat() });
  };
  return {
    async open({ shopId, batchId, count }) {
      return Number(await runOpen([STAMP_KEY, receiptKey(batchId)], { shop: shopId, life: UNDER_WAY_MS, count }));
    },
    reopen: (pushes) =>
      setAll(
        pushes.map(({ shopId, batchId }) => [receiptKey(batchId), shopId]),
        UNDER_WAY_MS,
      ),
    async store(stamp, pushes) {
      // The work first, so that every receipt finds it.
      const work = [...pushes].map(([shopId, { days, orders }]) => [
        flushKey(String(stamp), shopId),
        JSON.stringify({ days, orders } satisfies OpenWork),
      ]);
      const receipts = [...pushes].flatMap(([shopId, { batchIds }]) =>
        batchIds.map((batchId) => [receiptKey(batchId), `${shopId}\n${stamp}`]),
      );
      await setAll([...work, ...receipts], STORED_MS);
    },
    async find(batchId) {
      const state = await redis.get(receiptKey(batchId));
      if (state === null) return null;
      const [shopId = '', stamp] = state.split('\n');
      if (stamp === undefined) return { kind: 'under_way', shopId };
      const text = await redis.get(flushKey(stamp, shopId));
      if (text === null) return null;
      const { days, orders } = JSON.parse(text) as OpenWork;
      return { kind: 'stored', shopId, stamp: Number(stamp), work: { days, orders } };
    },
  };
}
