import type { Redis } from 'ioredis';
import { compare } from '../domain/compare.js';
import { MS_PER_HOUR } from '../domain/time.js';
import { MAX_DIFFERENCES_KEPT, MAX_WRONG_DAYS, type Audit, type WrongDay } from '../schemas/ingest-status.js';

/** How far the audit of a shard has come and what it found; shared by all workers. */
export interface AuditState {
  /** The shop that was audited last; `''` before the first. */
  lastShop(): Promise<string>;
  /** The last audited day of the shop; null: none. */
  lastDay(shopId: string): Promise<string | null>;
  moveTo(shopId: string, day: string | null): Promise<void>;
  /** Every day of the shop has been audited once more. */
  endRound(shopId: string, nowMs: number): Promise<void>;
  report(shopId: string, day: WrongDay): Promise<void>;
  /** The days, at least one, are right. */
  clear(shopId: string, days: readonly string[]): Promise<void>;
  /** Wrong days are listed the earliest first. */
  of(shopId: string): Promise<Audit>;
}

const DAYS = 'audit:days';
const ROUNDS = 'audit:rounds';

/** `shard` from 0. What was found does not depend on it. */
export function createAuditState(redis: Redis, shard = 0): AuditState {
  const lastShopKey = `audit:shop:${shard}`;
  const wrongKey = (shopId: string): string => `audit:wrong:{${shopId}}`;
  return {
    lastShop: async () => (await redis.get(lastShopKey)) ?? '',
    lastDay: (shopId) => redis.hget(DAYS, shopId),
    async moveTo(shopId, day) {
      await redis.set(lastShopKey, shopId);
      if (day === null) await redis.hdel(DAYS, shopId);
      else await redis.hset(DAYS, shopId, day);
    },
    async endRound(shopId, nowMs) {
      // Rounded to the hour, so that the ingest status stays the same while nothing changes.
      await redis.hset(ROUNDS, shopId, new Date(nowMs - (nowMs % MS_PER_HOUR)).toISOString());
    },
    async report(shopId, day) {
      if ((await redis.hlen(wrongKey(shopId))) >= MAX_WRONG_DAYS) return;
      const kept: WrongDay = { ...day, differences: day.differences.slice(0, MAX_DIFFERENCES_KEPT) };
      await redis.hsetnx(wrongKey(shopId), day.date, JSON.stringify(kept));
    },
    async clear(shopId, days) {
      await redis.hdel(wrongKey(shopId), ...days);
    },
    async of(shopId) {
      const [completeAt, wrong] = await Promise.all([redis.hget(ROUNDS, shopId), redis.hvals(wrongKey(shopId))]);
      const days = wrong.map((json) => JSON.parse(json) as WrongDay);
      return { complete_at: completeAt, wrong_days: days.sort((a, b) => compare(a.date, b.date)) };
    },
  };
}
