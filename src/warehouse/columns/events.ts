import type { EventRow } from '../../domain/events/event.js';
import type { Visit } from '../../domain/events/visit.js';
import { columns, headOf, nested, type Columns } from './columns.js';
import type { RowBinaryWriter } from './row-binary.js';

/** An event on its way into `events`. */
interface EventState {
  shopId: string;
  row: EventRow;
  /** Time of its arrival in microseconds, different for each event. */
  arrival: number;
}

const SENDER = columns<EventState>([
  ['shop_id', 'String', ({ shopId }) => shopId],
  ['received_at', "DateTime64(3, 'UTC')", ({ row }) => row.received_at],
  ['anon_id', 'String', ({ row }) => row.anon_id],
  ['session_hint', 'String', ({ row }) => row.session_hint],
  ['consent', 'LowCardinality(String)', ({ row }) => row.consent],
  ['sdk', 'LowCardinality(String)', ({ row }) => row.sdk],
  ['store_client_id', 'String', ({ row }) => row.store_client_id],
]);

const EVENT = columns<EventState>([
  ['event_id', 'String', ({ row }) => row.event_id],
  ['precedence', 'UInt64', ({ arrival }) => Number.MAX_SAFE_INTEGER - arrival],
  ['type', 'LowCardinality(String)', ({ row }) => row.type],
  ['ts', "DateTime64(3, 'UTC')", ({ row }) => row.ts],
  ['order_id', 'String', ({ row }) => row.order_id],
  ['checkout_token', 'String', ({ row }) => row.checkout_token],
  ['email_hash', 'String', ({ row }) => row.email_hash],
  ['product_id', 'String', ({ row }) => row.product_id],
  ['sku', 'String', ({ row }) => row.sku],
  ['quantity', 'Nullable(Decimal(38, 6))', ({ row }) => row.quantity ?? undefined],
]);

const VISIT = columns<Visit>([
  ['url', 'String', ({ page }) => page.url],
  ['url_host', 'LowCardinality(String)', ({ page }) => page.host],
  ['url_path', 'String', ({ page }) => page.path],
  ['utm_source', 'String', ({ page }) => page.utm.source],
  ['utm_medium', 'String', ({ page }) => page.utm.medium],
  ['utm_campaign', 'String', ({ page }) => page.utm.campaign],
  ['utm_term', 'String', ({ page }) => page.utm.term],
  ['utm_content', 'String', ({ page }) => page.utm.content],
  ['utm_id', 'String', ({ page }) => page.utm.id],
  nested('click_ids', ({ page }) => page.clickIds, [
    ['param', 'LowCardinality(String)', ({ param }) => param],
    ['network', 'LowCardinality(String)', ({ network }) => network],
    ['value', 'String', ({ value }) => value],
  ]),
  ['referrer', 'String', ({ referrer }) => referrer.url],
  ['referrer_host', 'LowCardinality(String)', ({ referrer }) => referrer.host],
  ['referrer_class', 'LowCardinality(String)', ({ referrerClass }) => referrerClass],
  ['channel', 'LowCardinality(String)', ({ channel }) => channel],
  ['evidence', 'LowCardinality(String)', ({ evidence }) => evidence],
]);

export const EVENT_HEAD = headOf(SENDER, EVENT, VISIT);

/** Encodes one event. `arrival` is the time of its arrival in microseconds, different for each event. */
export type WriteEvent = (shopId: string, row: EventRow, arrival: number) => void;

/** Encodes events once, at the door. What an event has in common with the one before it is copied, not written again. */
export function createEventWriter(w: RowBinaryWriter): WriteEvent {
  const writeSender = repeating(w, SENDER, hasSameSender);
  const writeVisit = repeating(w, VISIT, Object.is);
  return (shopId, row, arrival) => {
    const state: EventState = { shopId, row, arrival };
    writeSender(state);
    EVENT.write(w, state);
    writeVisit(row.visit);
  };
}

/** Writes columns, or copies those of the row before where it is the same in them. */
function repeating<Row>(w: RowBinaryWriter, { write }: Columns<Row>, isSame: (a: Row, b: Row) => boolean) {
  let last: Row | undefined;
  let from = 0;
  let to = 0;
  return (row: Row): void => {
    if (last !== undefined && isSame(last, row)) {
      w.repeat(from, to);
      return;
    }
    from = w.length;
    write(w, row);
    to = w.length;
    last = row;
  };
}

function hasSameSender(one: EventState, other: EventState): boolean {
  const a = one.row;
  const b = other.row;
  return (
    one.shopId === other.shopId &&
    a.received_at === b.received_at &&
    a.anon_id === b.anon_id &&
    a.session_hint === b.session_hint &&
    a.consent === b.consent &&
    a.sdk === b.sdk &&
    a.store_client_id === b.store_client_id
  );
}
