import type { Redis } from 'ioredis';
import type { CostSettings } from '../domain/metrics/figures.js';
import { lockKey } from './locks.js';
import { scriptFile } from './script.js';

/** Lifetime of a cached copy. */
const TTL_MS = 60_000;

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
  const runKeep = scriptFile(redis, 'keep-cost-settings');
  const copyKey = (shopId: string): string => `costs:{${shopId}}:settings`;
  const revisionKey = (shopId: string): string => `costs:{${shopId}}:revision`;
  return {
    async get(shopId) {
      const [text, revision] = await redis.mget(copyKey(shopId), revisionKey(shopId));
      return { settings: text == null ? null : (JSON.parse(text) as CostSettings), revision: revision ?? '0' };
    },
    async keep(shopId, settings, revision) {
      const keys = [copyKey(shopId), revisionKey(shopId), lockKey(settingsLock(shopId))];
      await runKeep(keys, { revision, settings: JSON.stringify(settings), life: TTL_MS });
    },
    async drop(shopId) {
      await redis.multi().incr(revisionKey(shopId)).del(copyKey(shopId)).exec();
    },
  };
}
