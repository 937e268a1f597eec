import type { EventRow } from '../domain/events/event.js';
import type { Page, Referrer } from '../domain/events/visit.js';
import { RowBinaryWriter } from './row-binary.js';

export const INSERT_EVENTS = `INSERT INTO events (shop_id, event_id, precedence, type, ts, received_at, anon_id, session_hint,
  consent, order_id, checkout_token, sdk, store_client_id, email_hash, product_id, sku, quantity,
  url, url_host, url_path, utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id,
  click_ids.param, click_ids.network, click_ids.value, referrer, referrer_host, referrer_class, channel)
  FORMAT RowBinary`;

/** Encodes an event once, at the door. `arrival` is the time of its arrival in microseconds, different for each event. */
export function writeEvent(w: RowBinaryWriter, shopId: string, row: EventRow, arrival: number): void {
  w.string(shopId);
  w.string(row.event_id);
  w.uint64(Number.MAX_SAFE_INTEGER - arrival);
  w.string(row.type);
  w.dateTime64(row.ts);
  w.dateTime64(row.received_at);
  w.string(row.anon_id);
  w.string(row.session_hint);
  w.string(row.consent);
  w.string(row.order_id);
  w.string(row.checkout_token);
  w.string(row.sdk);
  w.string(row.store_client_id);
  w.string(row.email_hash);
  w.string(row.product_id);
  w.string(row.sku);
  w.nullableDecimal(row.quantity ?? undefined);
  const { page, referrer, referrerClass, channel } = row.visit;
  writeShared(w, page, writePage);
  writeShared(w, referrer, writeReferrer);
  w.string(referrerClass);
  w.string(channel);
}

/** Columns of pages and referrers that many events share: each is encoded once. */
const encoded = new WeakMap<Page | Referrer, Buffer>();

function writeShared<T extends Page | Referrer>(
  w: RowBinaryWriter,
  item: T,
  write: (w: RowBinaryWriter, item: T) => void,
): void {
  if (!item.isPlain) {
    write(w, item);
    return;
  }
  let columns = encoded.get(item);
  if (columns === undefined) {
    const own = new RowBinaryWriter(1024);
    write(own, item);
    // A copy of its own size, since it may be kept for long.
    columns = Buffer.from(own.bytes());
    encoded.set(item, columns);
  }
  w.raw(columns);
}

function writePage(w: RowBinaryWriter, { url, host, path, utm, clickIds }: Page): void {
  w.string(url);
  w.string(host);
  w.string(path);
  w.string(utm.source);
  w.string(utm.medium);
  w.string(utm.campaign);
  w.string(utm.term);
  w.string(utm.content);
  w.string(utm.id);
  for (const { param } of w.array(clickIds)) w.string(param);
  for (const { network } of w.array(clickIds)) w.string(network);
  for (const { value } of w.array(clickIds)) w.string(value);
}

function writeReferrer(w: RowBinaryWriter, { url, host }: Referrer): void {
  w.string(url);
  w.string(host);
}
