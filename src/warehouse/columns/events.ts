import type { EventRow } from '../../domain/events/event.js';
import type { Visit } from '../../domain/events/visit.js';
import type { RowBinaryWriter } from './row-binary.js';

const insertInto = (
  last: string,
): string => `INSERT INTO events (shop_id, received_at, anon_id, session_hint, consent, sdk, store_client_id,
  event_id, precedence, type, ts, order_id, checkout_token, email_hash, product_id, sku, quantity,
  url, url_host, url_path, utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id,
  click_ids.param, click_ids.network, click_ids.value, referrer, referrer_host, referrer_class, ${last})
  FORMAT RowBinary`;

export const INSERT_EVENTS = insertInto('channel, evidence');
/** Of jobs that were queued before events had evidence, up to {@link SCHEMA_WITHOUT_EVIDENCE}. */
export const INSERT_EVENTS_WITHOUT_EVIDENCE = insertInto('channel');
export const SCHEMA_WITHOUT_EVIDENCE = 3;

/** Encodes one event. `arrival` is the time of its arrival in microseconds, different for each event. */
export type WriteEvent = (shopId: string, row: EventRow, arrival: number) => void;

/** Encodes events once, at the door. What an event has in common with the one before it is copied, not written again. */
export function createEventWriter(w: RowBinaryWriter): WriteEvent {
  let last: { shopId: string; row: EventRow } | null = null;
  const sender = { from: 0, to: 0 };
  const visit = { from: 0, to: 0 };
  const writeOrRepeat = (isSame: boolean, part: { from: number; to: number }, write: () => void): void => {
    if (isSame) {
      w.repeat(part.from, part.to);
      return;
    }
    part.from = w.length;
    write();
    part.to = w.length;
  };

  return (shopId, row, arrival) => {
    const isSameSender = last?.shopId === shopId && hasSameSender(last.row, row);
    writeOrRepeat(isSameSender, sender, () => {
      w.string(shopId);
      w.dateTime64(row.received_at);
      w.string(row.anon_id);
      w.string(row.session_hint);
      w.string(row.consent);
      w.string(row.sdk);
      w.string(row.store_client_id);
    });
    w.string(row.event_id);
    w.uint64(Number.MAX_SAFE_INTEGER - arrival);
    w.string(row.type);
    w.dateTime64(row.ts);
    w.string(row.order_id);
    w.string(row.checkout_token);
    w.string(row.email_hash);
    w.string(row.product_id);
    w.string(row.sku);
    w.nullableDecimal(row.quantity ?? undefined);
    writeOrRepeat(last?.row.visit === row.visit, visit, () => {
      writeVisit(w, row.visit);
    });
    last = { shopId, row };
  };
}

function writeVisit(w: RowBinaryWriter, { page, referrer, referrerClass, channel, evidence }: Visit): void {
  const { utm, clickIds } = page;
  w.string(page.url);
  w.string(page.host);
  w.string(page.path);
  w.string(utm.source);
  w.string(utm.medium);
  w.string(utm.campaign);
  w.string(utm.term);
  w.string(utm.content);
  w.string(utm.id);
  for (const { param } of w.array(clickIds)) w.string(param);
  for (const { network } of w.array(clickIds)) w.string(network);
  for (const { value } of w.array(clickIds)) w.string(value);
  w.string(referrer.url);
  w.string(referrer.host);
  w.string(referrerClass);
  w.string(channel);
  w.string(evidence);
}

function hasSameSender(a: EventRow, b: EventRow): boolean {
  return (
    a.received_at === b.received_at &&
    a.anon_id === b.anon_id &&
    a.session_hint === b.session_hint &&
    a.consent === b.consent &&
    a.sdk === b.sdk &&
    a.store_client_id === b.store_client_id
  );
}
