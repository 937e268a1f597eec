import { LRUCache } from 'lru-cache';
import { endedCurrency } from '../domain/currency.js';
import type { SourceChange, SourceRecord } from '../domain/source.js';
import { byShard, type ShardOf } from '../domain/shard-of.js';
import { canonicalTimeZone } from '../domain/zones/time-zone.js';
import { requestError, RequestError, type ErrorDetail } from '../errors.js';
import type { SourceState } from '../redis/sources.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { SourceStore } from '../warehouse/queries/sources.js';
import { copyOf } from './copies.js';

export interface SourceRegistryDeps {
  state: SourceState;
  store: SourceStore;
  shardOf: ShardOf;
  takeStamps: TakeStamps;
  now: () => number;
}

/** Registered sources: process cache → Redis → ClickHouse. */
export interface SourceRegistry {
  /** Null before registration. `fresh` skips the process cache. Throws `store_unavailable` if it can't be looked up. */
  find(shopId: string, options?: { fresh: boolean }): Promise<SourceRecord | null>;
  /** Like {@link find}, but throws `source_not_registered`. */
  require(shopId: string, options?: { fresh: boolean }): Promise<SourceRecord>;
  /** Registers or edits; throws `source_locked`. */
  put(shopId: string, settings: SourceChange): Promise<SourceRecord>;
  /** Writes locks, which the first accepted orders set in Redis, to the warehouse. True if there may be more. */
  persistLocks(): Promise<boolean>;
  setClosed(shopId: string, closedAt: number | null): Promise<void>;
  /** Every shop that has a source, in the order of the ids. */
  shopIds(): Promise<string[]>;
}

const TTL_MS = 2_000;
/** Locks that are written in one turn. */
const MAX_LOCKS = 200;

export function createSourceRegistry({ state, store, shardOf, takeStamps, now }: SourceRegistryDeps): SourceRegistry {
  const cache = new LRUCache<string, SourceRecord>({ maxSize: 10_000, sizeCalculation: () => 1, ttl: TTL_MS });
  const underWay = new Map<string, Promise<SourceRecord | null>>();

  const load = async (shopId: string): Promise<SourceRecord | null> => {
    const copy = await copyOf(state.get(shopId));
    if (copy.kept !== null) return copy.kept;
    const record = await store.find(shopId);
    if (record === null) copy.requireAnswer();
    // Without Redis, the next look-up asks the warehouse again.
    return record === null ? null : state.restore(record).catch(() => record);
  };

  /** One query for all concurrent callers: while Redis is away, each look-up costs the warehouse a query. */
  const loadShared = (shopId: string): Promise<SourceRecord | null> => {
    let loading = underWay.get(shopId);
    if (loading === undefined) {
      loading = load(shopId).finally(() => underWay.delete(shopId));
      underWay.set(shopId, loading);
    }
    return loading;
  };

  const find: SourceRegistry['find'] = async (shopId, options) => {
    const cached = options?.fresh === true ? undefined : cache.get(shopId);
    if (cached !== undefined) return cached;
    const record = await (options?.fresh === true ? load(shopId) : loadShared(shopId));
    if (record !== null) cache.set(shopId, record);
    return record;
  };

  const persist = async (shopId: string): Promise<void> => {
    // The stamp comes first: a later write of another process then has a later version.
    const version = await takeStamps();
    const record = await state.get(shopId);
    if (record !== null) await store.write(record, version);
  };

  return {
    find,
    async require(shopId, options) {
      const record = await find(shopId, options);
      if (record !== null) return record;
      throw requestError(
        'source_not_registered',
        'Register the source first: PUT /v1/source with platform, currency and timezone.',
      );
    },
    async put(shopId, settings) {
      const known = await load(shopId); // so that a Redis that lost its data knows of a lock
      if (settings.currency !== known?.currency) refuseEnded(settings.currency);
      const timezone = canonicalTimeZone(settings.timezone) ?? settings.timezone;
      const record = await state.put(shopId, { ...settings, timezone }, now());
      cache.delete(shopId);
      if (record === null) {
        throw lockedError(await state.get(shopId), { ...settings, timezone });
      }
      await persist(shopId);
      return record;
    },
    async persistLocks() {
      const shopIds = await state.newLocks(MAX_LOCKS);
      const written: string[] = [];
      const persistAll = async (own: readonly string[]): Promise<void> => {
        for (const shopId of own) {
          await persist(shopId);
          written.push(shopId);
        }
      };
      // The locks of a shard that is away hold up those of no other.
      const groups = await Promise.allSettled([...byShard(shopIds, shardOf).values()].map(persistAll));
      // A lock never goes away, so the records that were written have it.
      if (written.length > 0) await state.forgetNewLocks(written);
      for (const group of groups) if (group.status === 'rejected') throw group.reason;
      return shopIds.length === MAX_LOCKS;
    },
    shopIds: () => store.shopIds(),
    async setClosed(shopId, closedAt) {
      await load(shopId);
      await state.setClosed(shopId, closedAt);
      await persist(shopId);
      cache.delete(shopId);
    },
  };
}

/** A shop that has the currency of before keeps it, and its history. */
function refuseEnded(currency: string): void {
  const ended = endedCurrency(currency);
  if (ended === null) return;
  const message = `currency ${currency} ended with ${ended.lastDay}: a new shop takes "${ended.next}", and amounts of before converted to it.`;
  throw new RequestError([{ code: 'invalid_value', message, field: 'currency' }]);
}

/** Tells each setting that a locked source can't change, and what it stays. */
function lockedError(kept: SourceRecord | null, given: SourceChange): RequestError {
  const faults = (['currency', 'timezone'] as const).flatMap((field): ErrorDetail[] => {
    const stays = kept?.[field];
    if (stays === undefined || stays.toLowerCase() === given[field].toLowerCase()) return [];
    return [
      {
        code: 'source_locked',
        message: `${field} stays ${stays} after the first accepted order, test orders included; only another shop can have another.`,
        field,
      },
    ];
  });
  const [first = { code: 'source_locked', message: 'This source is locked.' }, ...others] = faults;
  return new RequestError([first, ...others]);
}
