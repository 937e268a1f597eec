import type { Redis } from 'ioredis';
import { scriptFile } from './script.js';

/** Numbers of entries of one queue, see `rebuild-queue.ts`. */
export interface RebuildQueueState {
  /** All entries. */
  entries: number;
  /** Entries that workers have claimed. */
  leased: number;
  /** Entries whose own work failed. */
  quarantined: number;
  /** Age of the oldest entry among the first entries of the shops whose turn is next; 0 if there is none. */
  oldestMs: number;
}

/** Number of shops that are looked at. */
const SHOPS = 20;

/** Reads the state in one call, whose cost is bounded for any number of entries. */
export async function readRebuildQueueState(redis: Redis, name: string): Promise<RebuildQueueState> {
  const keys = ['shops', 'tokens', 'leases', 'quarantined'].map((part) => `${name}:${part}`);
  const found = (await scriptFile(redis, 'rebuild-queue-state')(keys, { name, shops: SHOPS })) as number[];
  const [entries = 0, leased = 0, quarantined = 0, oldestMs = 0] = found;
  return { entries, leased, quarantined, oldestMs };
}
