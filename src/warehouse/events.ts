import type { EventRow } from '../domain/events/event.js';
import type { Page, Referrer, Visit } from '../domain/events/visit.js';
import { RowBinaryWriter } from './row-binary.js';

export const INSERT_EVENTS = `INSERT INTO events (shop_id, received_at, anon_id, session_hint, consent, sdk, store_client_id,
  event_id, precedence, type, ts, order_id, checkout_token, email_hash, product_id, sku, quantity,
  url, url_host, url_path, utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id,
  click_ids.param, click_ids.network, click_ids.value, referrer, referrer_host, referrer_class, channel)
  FORMAT RowBinary`;

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

function writeVisit(w: RowBinaryWriter, { page, referrer, referrerClass, channel }: Visit): void {
  writeShared(w, page, writePage);
  writeShared(w, referrer, writeReferrer);
  writeChannel(w, { referrerClass, channel });
}

/** The columns of the class of the referrer and of the channel, which are the last. */
export function writeChannel(
  w: RowBinaryWriter,
  { referrerClass, channel }: Pick<Visit, 'referrerClass' | 'channel'>,
): void {
  w.string(referrerClass);
  w.string(channel);
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

const scratch = new RowBinaryWriter(8 * 1024);

/** Columns of pages and referrers that many events share are encoded once. */
function writeShared<T extends Page | Referrer>(
  w: RowBinaryWriter,
  item: T,
  write: (w: RowBinaryWriter, item: T) => void,
): void {
  if (!item.isPlain) {
    write(w, item);
    return;
  }
  if (item.encoded === undefined) {
    scratch.reset();
    write(scratch, item);
    item.encoded = new Uint8Array(scratch.bytes());
  }
  w.raw(item.encoded);
}

/** The columns of the page of an event. */
export function writePage(w: RowBinaryWriter, { url, host, path, utm, clickIds }: Page): void {
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

/** The columns of its referrer, which follow. */
export function writeReferrer(w: RowBinaryWriter, { url, host }: Referrer): void {
  w.string(url);
  w.string(host);
}
