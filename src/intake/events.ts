import { LRUCache } from 'lru-cache';
import { dropMessages } from '../domain/events/drop-reasons.js';
import { enrichEvent } from '../domain/events/enrich.js';
import type { CollectEvent, EnrichContext, EventRow } from '../domain/events/event.js';
import type { ErrorDetail } from '../errors.js';
import type { SourceRegistry } from '../registry/sources.js';
import { collectEventValidator, type CollectResult, type EventVerdict } from '../schemas/collect.js';
import type { EventGroups } from './event-groups.js';

export interface EventIntakeDeps {
  sources: SourceRegistry;
  groups: EventGroups;
  now: () => number;
}

/**
 * Takes one batch of browser events: each is checked, cleaned and stored or dropped by itself. Resolves once those that
 * are stored are in the durable queue; throws `queue_unavailable`. Needs no registered source.
 */
export type TakeEvents = (shopId: string, items: readonly unknown[], userAgent?: string) => Promise<CollectResult>;

/** How long the shop's own host, which tells its pages from referring sites, may be behind. */
const DOMAIN_TTL_MS = 10_000;

export function createEventIntake({ sources, groups, now }: EventIntakeDeps): TakeEvents {
  const domains = new LRUCache<string, { host: string }>({
    max: 10_000,
    ttl: DOMAIN_TTL_MS,
    allowStale: true,
    // Events are worth more than a perfect referrer class: without an answer the host of the page alone decides.
    fetchMethod: async (shopId) => ({
      host: (await sources.find(shopId).catch(() => null))?.shopDomain ?? '',
    }),
  });

  return async (shopId, items, userAgent) => {
    const shopDomain = (await domains.fetch(shopId))?.host;
    const context: EnrichContext = { userAgent, receivedAtMs: now(), shopDomain, visits: new Map() };
    const rows: EventRow[] = [];
    const dropped: ErrorDetail[][] = [];
    const results = items.map((item): EventVerdict => {
      const errors = takeEvent(item, context, rows);
      if (errors === null) return { event_id: (item as CollectEvent).event_id, verdict: 'accepted' };
      dropped.push(errors.map(withoutQuote));
      return { event_id: suppliedId(item), verdict: 'dropped', errors };
    });
    await groups.add({ shopId, rows, dropped });
    return { results };
  };
}

/** Adds the row of an event to `rows`, or returns why there is none. */
function takeEvent(item: unknown, context: EnrichContext, rows: EventRow[]): ErrorDetail[] | null {
  const errors = collectEventValidator.check(item);
  if (errors.length > 0) return errors;
  const { row, drop } = enrichEvent(item as CollectEvent, context);
  if (row === undefined) return [drop];
  rows.push(row);
  return null;
}

function suppliedId(item: unknown): string | null {
  const id = (item as { event_id?: unknown } | null)?.event_id;
  return typeof id === 'string' ? id : null;
}

/** A message may name an unknown field, and a field may be named like a person: what is logged says only which code. */
function withoutQuote({ code, message }: ErrorDetail): ErrorDetail {
  const known: Partial<Record<string, string>> = dropMessages;
  return { code, message: known[code] ?? message };
}
