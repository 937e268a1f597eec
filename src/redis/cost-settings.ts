import type { Redis } from 'ioredis';
import type { CostSettings } from '../domain/metrics/figures.js';
import { lockKey } from './locks.js';
import { script } from './script.js';

/** Lifetime of a cached copy. */
const TTL_MS = 60_000;

/** Stores what was read, unless the settings have changed since or are being changed. */
const KEEP = `
if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
if (redis.call('GET', KEYS[2]) or '0') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

/**
 * A cached copy of a shop's cost settings, because every metrics request needs them. A change holds the lock {@link settingsLock} and
 * drops the copy before and after, so that no reader stores what it read earlier.
 */
export interface CostSettingsState {
  /** The copy, and the revision that {@link keep} needs after the warehouse was read. */
  get(shopId: string): Promise<{ settings: CostSettings | null; revision: string }>;
  keep(shopId: string, settings: CostSettings, revision: string): Promise<void>;
  drop(shopId: string): Promise<void>;
}

export const settingsLock = (shopId: string): string => `costs:{${shopId}}`;

export function createCostSettingsState(redis: Redis): CostSettingsState {
  const runKeep = script(redis, KEEP);
  const copyKey = (shopId: string): string => `costs:{${shopId}}:settings`;
  const revisionKey = (shopId: string): string => `costs:{${shopId}}:revision`;
  return {
    async get(shopId) {
      const [text, revision] = await redis.mget(copyKey(shopId), revisionKey(shopId));
      return { settings: text == null ? null : (JSON.parse(text) as CostSettings), revision: revision ?? '0' };
    },
    async keep(shopId, settings, revision) {
      const keys = [copyKey(shopId), revisionKey(shopId), lockKey(settingsLock(shopId))];
      await runKeep(keys, [revision, JSON.stringify(settings), TTL_MS]);
    },
    async drop(shopId) {
      await redis.multi().incr(revisionKey(shopId)).del(copyKey(shopId)).exec();
    },
  };
}
