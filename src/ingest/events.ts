import { enrichEvent } from '../domain/events/enrich.js';
import type { DropReason } from '../domain/events/drop-reasons.js';
import type { CollectEvent, EnrichContext, EventRow } from '../domain/events/event.js';
import type { DropCause, DroppedName } from '../redis/dropped-names.js';
import type { RequestIds } from '../domain/ingest.js';
import { parseTimestamp } from '../domain/time.js';
import type { ErrorDetail } from '../errors.js';
import { collectEventValidator, type CollectResult, type EventVerdict } from '../schemas/collect.js';
import type { QueueEvents } from './event-push.js';
import { suppliedId } from './batch.js';
import type { Items } from '../body/items.js';
import type { ShopHosts } from './shop-hosts.js';

export interface EventIntakeDeps {
  hosts: ShopHosts;
  queueEvents: QueueEvents;
  /** Takes the orders that dropped events name. */
  dropNames: (shopId: string, names: readonly DroppedName[]) => Promise<void>;
  now: () => number;
}

/** A batch whose sender was admitted. */
export interface EventBatch {
  shopId: string;
  request: RequestIds;
  items: Items;
  userAgent: string | undefined;
  /** When the page sent the batch, by its own clock: a timestamp; absent: not known. */
  sentAt: string | undefined;
}

export interface TakenBatch {
  /** The event ids as they were supplied. */
  ids: (string | null)[];
  /** The faults of each event in the order of the batch; null: it is stored. */
  faults: (ErrorDetail[] | null)[];
  /** Resolves once the events that are stored are in the durable queue; rejects with `queue_unavailable`. */
  queued: Promise<void>;
}

/**
 * Takes one batch of browser events: each is checked, cleaned and stored or dropped by itself. It resolves before the
 * queue has them, so that nothing of the batch is held meanwhile: the caller waits for `queued`. Needs no registered source.
 */
export type TakeEvents = (batch: EventBatch) => Promise<TakenBatch>;

export function createEventIntake({ hosts, queueEvents, dropNames, now }: EventIntakeDeps): TakeEvents {
  return async ({ shopId, request, items, userAgent, sentAt }) => {
    const own = hosts.recall(shopId) ?? (await hosts.find(shopId));
    const sentMicros = sentAt === undefined ? null : parseTimestamp(sentAt);
    const sentAtMs = sentMicros === null ? undefined : Math.floor(sentMicros / 1000);
    const context: EnrichContext = { userAgent, receivedAtMs: now(), sentAtMs, ...own };
    const rows: EventRow[] = [];
    const ids: (string | null)[] = [];
    const names: DroppedName[] = [];
    const faults = Array.from(items, (item) => {
      ids.push(suppliedId(item.value, 'event_id'));
      return item.faults ?? takeEvent(item.value, context, rows, names);
    });
    const dropped = rows.length === items.length ? [] : faults.filter((errors) => errors !== null);
    const queued = queueEvents({ shopId, request, rows, dropped });
    return { ids, faults, queued: names.length === 0 ? queued : queued.then(() => dropNames(shopId, names)) };
  };
}

/** The answer to `debug=1`. */
export function toVerdicts(ids: readonly (string | null)[], faults: readonly (ErrorDetail[] | null)[]): CollectResult {
  const results = ids.map((event_id, i): EventVerdict => {
    const errors = faults[i] ?? null;
    return errors === null ? { event_id, verdict: 'accepted' } : { event_id, verdict: 'dropped', errors };
  });
  return { results };
}

const hasConsent = ({ consent }: CollectEvent): boolean => consent === 'analytics' || consent === 'analytics+marketing';

/** Faults that are reported of one event: it has fewer fields. */
const EVENT_FAULTS = 30;

/** What of an event that is dropped for it tells why its order is unattributed. */
const CAUSES: Partial<Record<DropReason, DropCause>> = { bot: 'bot', invalid_timestamp: 'clock' };

/** Adds the row of an event to `rows`, or returns why there is none, and adds the order that it names to `names`. */
function takeEvent(
  item: unknown,
  context: EnrichContext,
  rows: EventRow[],
  names: DroppedName[],
): ErrorDetail[] | null {
  const errors = collectEventValidator.check(item, EVENT_FAULTS);
  if (errors.length > 0) return errors;
  const event = item as CollectEvent;
  const { row, drop } = enrichEvent(event, context);
  if (row === undefined) {
    const { order_id: id = '' } = event;
    const cause = CAUSES[drop.code];
    if (cause !== undefined && hasConsent(event) && id !== '') names.push({ id, cause });
    return [drop];
  }
  rows.push(row);
  return null;
}
