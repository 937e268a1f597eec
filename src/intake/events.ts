import { dropMessages } from '../domain/events/drop-reasons.js';
import { enrichEvent } from '../domain/events/enrich.js';
import type { CollectEvent, EnrichContext, EventRow } from '../domain/events/event.js';
import type { ErrorDetail } from '../errors.js';
import { collectEventValidator, type CollectResult, type EventVerdict } from '../schemas/collect.js';
import { packSegments, type Packed } from '../queue/jobs.js';
import { createEventWriter, type WriteEvent } from '../warehouse/events.js';
import { RowBinaryWriter } from '../warehouse/row-binary.js';
import { createArrivals, type EventGroups, type TakenEvents, type GroupRows } from './event-groups.js';
import type { ShopHosts } from './shop-hosts.js';

/** What a group under load comes to, so that its memory is not grown and copied again and again. */
const WRITER_BYTES = 512 * 1024;

/** Rows that are compressed when the group is full. */
export class EventRows implements GroupRows {
  readonly #writer = new RowBinaryWriter(WRITER_BYTES);
  #write = createEventWriter(this.#writer);

  get length(): number {
    return this.#writer.length;
  }

  get write(): WriteEvent {
    return this.#write;
  }

  packed(): Packed {
    return packSegments([this.#writer.bytes()]);
  }

  reset(): void {
    this.#writer.reset();
    this.#write = createEventWriter(this.#writer);
  }
}

export interface EventIntakeDeps {
  hosts: ShopHosts;
  groups: EventGroups<EventRows>;
  now: () => number;
}

/** A batch as it came through the door. */
export interface EventBatch {
  shopId: string;
  items: readonly unknown[];
  userAgent: string | undefined;
}

export interface TakenBatch {
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

export function createEventIntake({ hosts, groups, now }: EventIntakeDeps): TakeEvents {
  const takeArrivals = createArrivals();
  return async ({ shopId, items, userAgent }) => {
    const shopDomain = hosts.recall(shopId) ?? (await hosts.find(shopId));
    const context: EnrichContext = { userAgent, receivedAtMs: now(), shopDomain };
    const rows: EventRow[] = [];
    const faults = items.map((item) => takeEvent(item, context, rows));
    const dropped =
      rows.length === items.length ? [] : faults.flatMap((errors) => (errors ? [errors.map(withoutQuote)] : []));
    const queued = groups.add(newsOf(shopId, rows, dropped), (group) => {
      for (const row of rows) group.write(shopId, row, takeArrivals(row.received_at, 1));
    });
    return { faults, queued };
  };
}

function newsOf(shopId: string, rows: readonly EventRow[], dropped: TakenEvents['dropped']): TakenEvents {
  const distinct = (values: readonly string[]) => new Set(values.filter((value) => value !== ''));
  return {
    ...{ shopId, accepted: rows.length, dropped },
    visitors: distinct(rows.map(({ anon_id }) => anon_id)),
    orders: distinct(rows.map(({ order_id }) => order_id)),
    checkouts: distinct(rows.map(({ checkout_token }) => checkout_token)),
    since: rows.reduce((least, { ts }) => Math.min(least, ts), Number.MAX_SAFE_INTEGER),
  };
}

/** The answer to `debug=1`. */
export function toVerdicts(items: readonly unknown[], faults: readonly (ErrorDetail[] | null)[]): CollectResult {
  const results = items.map((item, i): EventVerdict => {
    const errors = faults[i] ?? null;
    const event_id = suppliedId(item);
    return errors === null ? { event_id, verdict: 'accepted' } : { event_id, verdict: 'dropped', errors };
  });
  return { results };
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
