import type { Redis } from 'ioredis';
import { inChunks } from '../domain/in-chunks.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { RebuildLane } from './rebuild-queues.js';
import { scriptFile } from './script.js';
import { STAMP_KEY } from './stamps.js';

/**
 * The progress of every push that was accepted, in whole or in part, by its batch id:
 *
 * `receipt:{batch}`   shop, state and value, a line each: `queued` with the key of its job, `stored` with the stamp of its flush,
 *                     `covered` with a stamp from after all earlier pushes of the shop were stored
 * `pushes:{shop}`     sorted set by time of the shop's pushes that are queued
 *
 * A stored push is soon computed and then in the ingest log, so its key may expire.
 */
const STORED_MS = 5 * 60_000;
/** Longer than an outage of the warehouse, or the wait of a dead letter for its retry. */
export const UNDER_WAY_MS = 7 * 24 * 60 * 60_000;
/** A push is queued or refused within this time after it was noted. */
const QUEUED_WITHIN_MS = 60_000;

/** Entries per call of a script. */
const CHUNK = 1_000;

/** The pushes of one shop in a flush, and the days that they queued, by lane. */
export interface StoredPushes {
  batchIds: readonly string[];
  days: Readonly<Record<RebuildLane, readonly DayRange[]>>;
}

export interface PushId {
  shopId: string;
  batchId: string;
}

export type PushState =
  /** It is of no push, or of one that was stored some minutes ago. */
  | { kind: 'unknown' }
  /** It is of another shop. */
  | { kind: 'foreign' }
  /** It is not stored, or an earlier push of the shop is not. Pushes that failed for good are not waited for. */
  | { kind: 'queued' | 'stored' }
  /** It and all earlier pushes of the shop were stored, and their days queued, before `stamp` was taken. The stamp stays the same. */
  | { kind: 'covered'; stamp: number };

export interface Receipts {
  /** Notes a push that this job will carry, and reserves `count` arrival stamps for it; gives the first. */
  open(push: PushId & { jobKey: string; count: number }): Promise<number>;
  /** Notes the pushes of a job that is put back into the queue. */
  reopen(jobKey: string, pushes: readonly PushId[]): Promise<void>;
  /** Notes that the rows of these pushes are stored and their days queued; called before their jobs end. */
  store(stamp: number, pushes: ReadonlyMap<string, StoredPushes>): Promise<void>;
  /** @param options.isLogged the ingest log has the push */
  find(push: PushId, options?: { isLogged: boolean }): Promise<PushState>;
}

export function createReceipts(redis: Redis): Receipts {
  const runOpen = scriptFile(redis, 'open-receipts');
  const runStore = scriptFile(redis, 'store-receipts');
  const runFind = scriptFile(redis, 'find-receipt');
  const openAll = async (job: string, pushes: readonly PushId[], count: number): Promise<number> => {
    const flat = pushes.flatMap(({ shopId, batchId }) => [shopId, batchId]);
    return Number(await runOpen([STAMP_KEY], { pushes: flat, job, life: UNDER_WAY_MS, count }));
  };
  return {
    open: ({ jobKey, count, ...push }) => openAll(jobKey, [push], count),
    async reopen(jobKey, pushes) {
      for (const chunk of inChunks(pushes, CHUNK)) await openAll(jobKey, chunk, 1);
    },
    async store(stamp, pushes) {
      const ids = [...pushes].flatMap(([shopId, { batchIds }]) => batchIds.map((batchId) => [shopId, batchId]));
      for (const chunk of inChunks(ids, CHUNK)) await runStore([], { pushes: chunk.flat(), stamp, life: STORED_MS });
    },
    async find({ shopId, batchId }, { isLogged } = { isLogged: false }) {
      const keys = [STAMP_KEY, `receipt:${batchId}`, `pushes:{${shopId}}`];
      const input = { shop: shopId, is_logged: isLogged, life: STORED_MS, grace: QUEUED_WITHIN_MS };
      const [kind, stamp] = (await runFind(keys, input)) as [PushState['kind'], string?];
      return kind === 'covered' ? { kind, stamp: Number(stamp) } : { kind };
    },
  };
}
