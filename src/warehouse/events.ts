import type { EventRow } from '../domain/events/event.js';
import type { Visit } from '../domain/events/visit.js';
import { RowBinaryWriter } from './row-binary.js';

export const INSERT_EVENTS = `INSERT INTO events (shop_id, event_id, precedence, type, ts, received_at, anon_id, session_hint,
  consent, order_id, checkout_token, sdk, store_client_id, email_hash, product_id, sku, quantity,
  url, url_host, url_path, referrer, referrer_host, referrer_class, utm_source, utm_medium, utm_campaign, utm_term,
  utm_content, utm_id, click_ids.param, click_ids.network, click_ids.value, channel) FORMAT RowBinary`;

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
  w.raw(visitColumns(row.visit));
}

const encoded = new WeakMap<Visit, Buffer>();

/** The columns from `url` on. Many events share one visit, so each is encoded once. */
function visitColumns(visit: Visit): Buffer {
  const known = encoded.get(visit);
  if (known !== undefined) return known;
  const w = new RowBinaryWriter(1024);
  w.string(visit.url);
  w.string(visit.url_host);
  w.string(visit.url_path);
  w.string(visit.referrer);
  w.string(visit.referrer_host);
  w.string(visit.referrer_class);
  w.string(visit.utm_source);
  w.string(visit.utm_medium);
  w.string(visit.utm_campaign);
  w.string(visit.utm_term);
  w.string(visit.utm_content);
  w.string(visit.utm_id);
  w.array(visit.click_ids, ({ param }) => w.string(param));
  w.array(visit.click_ids, ({ network }) => w.string(network));
  w.array(visit.click_ids, ({ value }) => w.string(value));
  w.string(visit.channel);
  // A copy of its own size, since it may be kept for long.
  const columns = Buffer.from(w.bytes());
  encoded.set(visit, columns);
  return columns;
}
