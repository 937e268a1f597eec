import type { Redis } from 'ioredis';
import type { SourceChange, SourceRecord } from '../domain/source.js';
import { conversionText, readConversion } from '../domain/source-conversion.js';
import { scriptFile } from './script.js';
import { STAMP_KEY } from './stamps.js';

export interface SourceState {
  get(shopId: string): Promise<SourceRecord | null>;
  /** Null if the source is locked and the settings differ. */
  put(shopId: string, settings: SourceChange, nowMs: number): Promise<SourceRecord | null>;
  /** Caches a record of ClickHouse, unless Redis has one; gives the record that Redis has then. */
  restore(record: SourceRecord): Promise<SourceRecord>;
  setClosed(shopId: string, closedAt: number | null): Promise<void>;
  /** Some of the shops whose lock is not in the warehouse yet. */
  newLocks(limit: number): Promise<string[]>;
  /** Notes that these locks are in the warehouse. */
  forgetNewLocks(shopIds: readonly string[]): Promise<void>;
}

/** Shops whose source was locked by an accepted order, until the lock is in the warehouse. */
export const NEW_LOCKS = 'sources:locked';

const key = (shopId: string): string => `source:{${shopId}}`;

export function createSourceState(redis: Redis): SourceState {
  const runPut = scriptFile(redis, 'put-source');
  const runRestore = scriptFile(redis, 'restore-source');
  const get = async (shopId: string): Promise<SourceRecord | null> => {
    const fields = await redis.hgetall(key(shopId));
    if (fields.revision === undefined) return null;
    const time = (name: string): number | null => (fields[name] === undefined ? null : Number(fields[name]));
    return {
      shopId,
      platform: fields.platform ?? '',
      currency: fields.currency ?? '',
      timezone: fields.timezone ?? '',
      shopDomain: fields.shop_domain === '' ? null : (fields.shop_domain ?? null),
      conversion: readConversion(fields.conversion),
      convertSpend: fields.convert_spend === '1',
      ownHosts: (fields.own_hosts ?? '').split(' ').filter((host) => host !== ''),
      registeredAt: time('registered_at') ?? 0,
      lockedAt: time('locked_at'),
      closedAt: time('closed_at'),
      revision: fields.revision,
    };
  };
  return {
    get,
    async put(shopId, { platform, currency, timezone, shopDomain, conversion, convertSpend, ownHosts }, nowMs) {
      const input = {
        platform,
        currency,
        timezone,
        shop_domain: shopDomain ?? '',
        ...(conversion !== undefined && { conversion: conversionText(conversion) }),
        ...(ownHosts !== undefined && { own_hosts: ownHosts.join(' ') }),
        ...(convertSpend !== undefined && { convert_spend: convertSpend ? '1' : '0' }),
        now: nowMs,
      };
      const done = await runPut([key(shopId), STAMP_KEY], input);
      return done === 1 ? get(shopId) : null;
    },
    async restore(record) {
      const fields = {
        platform: record.platform,
        currency: record.currency,
        timezone: record.timezone,
        shop_domain: record.shopDomain ?? '',
        conversion: conversionText(record.conversion ?? null),
        convert_spend: record.convertSpend === true ? '1' : '0',
        own_hosts: record.ownHosts.join(' '),
        registered_at: record.registeredAt,
        revision: record.revision,
        ...(record.lockedAt !== null && { locked_at: record.lockedAt }),
        ...(record.closedAt !== null && { closed_at: record.closedAt }),
      };
      const done = await runRestore([key(record.shopId)], { fields: Object.entries(fields).flat() });
      return done === 1 ? record : ((await get(record.shopId)) ?? record);
    },
    async setClosed(shopId, closedAt) {
      if (closedAt === null) await redis.hdel(key(shopId), 'closed_at');
      else await redis.hset(key(shopId), 'closed_at', closedAt);
    },
    newLocks: (limit) => redis.srandmember(NEW_LOCKS, limit),
    async forgetNewLocks(shopIds) {
      if (shopIds.length > 0) await redis.srem(NEW_LOCKS, ...shopIds);
    },
  };
}
