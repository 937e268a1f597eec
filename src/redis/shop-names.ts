import type { Redis } from 'ioredis';
import { scriptFile } from './script.js';

/** Unused for this long, the names of a shop are dropped, and read from the warehouse when they are needed again. */
const LIFE_SECONDS = 30 * 86_400;

/** The names of one kind that a shop has used, such as those of its channels. */
export interface ShopNamesState {
  /** Adds names up to the bound, atomically for all processes; gives those that were refused. Null if the set must be filled first. */
  admit(shopId: string, names: readonly string[], options: { most: number; dryRun: boolean }): Promise<string[] | null>;
  fill(shopId: string, names: readonly string[]): Promise<void>;
}

export function createShopNamesState(redis: Redis, kind: string): ShopNamesState {
  const runAdmit = scriptFile(redis, 'admit-names');
  const runFill = scriptFile(redis, 'fill-names');
  const key = (shopId: string): string => `names:{${shopId}}:${kind}`;
  return {
    async admit(shopId, names, { most, dryRun }) {
      const input = { is_dry_run: dryRun, max: most, names, life: LIFE_SECONDS };
      const refused = (await runAdmit([key(shopId)], input)) as number[] | null;
      return refused === null ? null : refused.flatMap((i) => names[i] ?? []);
    },
    async fill(shopId, names) {
      await runFill([key(shopId)], { names, life: LIFE_SECONDS });
    },
  };
}
