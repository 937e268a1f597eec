import { LRUCache } from 'lru-cache';
import type { PastSettings, ReadPastSettings } from '../warehouse/queries/settings-history.js';

/** The settings of a shop as they were: process cache → ClickHouse. */
export interface PastSettingsRegistry {
  /** Those that held at a moment, in microseconds since 1970. */
  find(shopId: string, asOf: number): Promise<PastSettings>;
  /** Whether {@link find} answers without asking the warehouse. */
  knows(shopId: string, asOf: number): boolean;
}

/** No write is under way for longer: the warehouse is not waited for beyond it. */
const WRITTEN_MS = 60_000;
/** Rules and expenses of all shops together. */
const MOST_KEPT = 50_000;
/** Nothing that is kept ever changes; this is for histories that an operator mends by hand. */
const TTL_MS = 60_000;

interface Span {
  settings: PastSettings;
  /** In microseconds since 1970, the end exclusive. */
  from: number;
  until: number;
}

/**
 * Keeps for each shop what held from a moment asked for until the next change, or, where there is none, until a minute before it
 * was read: whatever counts from before that has been stored, so the answer can't become another. It saves a question that takes as
 * much as the one about the figures: 22 ms of CPU of the warehouse, where the sums of a year took 27 as of then, and 14 now.
 */
export function createPastSettings(read: ReadPastSettings, now: () => number): PastSettingsRegistry {
  const cache = new LRUCache<string, Span>({
    maxSize: MOST_KEPT,
    ttl: TTL_MS,
    sizeCalculation: ({ settings }) => 1 + settings.rules.length + settings.expenses.length,
  });
  const known = (shopId: string, asOf: number): Span | undefined => {
    const span = cache.get(shopId);
    return span !== undefined && span.from <= asOf && asOf < span.until ? span : undefined;
  };
  return {
    knows: (shopId, asOf) => known(shopId, asOf) !== undefined,
    async find(shopId, asOf) {
      const span = known(shopId, asOf);
      if (span !== undefined) return span.settings;
      const stored = (now() - WRITTEN_MS) * 1000;
      const { settings, changesAt } = await read(shopId, asOf);
      const until = Math.min(changesAt, stored);
      if (asOf < until) cache.set(shopId, { settings, from: asOf, until });
      return settings;
    },
  };
}
