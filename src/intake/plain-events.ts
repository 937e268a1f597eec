import { eventTimeAt } from '../domain/events/event-time.js';
import { PLAIN, plainText, spanOf, type PlainBatch } from '../domain/events/plain-batch.js';
import { composeVisit, readPage, readReferrer, type Page, type Referrer, type Visit } from '../domain/events/visit.js';
import { createByteTable } from './byte-table.js';

/** Where and when the events of a plain batch happened, one of each an event. */
export interface PlainReading {
  /** Milliseconds since 1970. */
  times: number[];
  visits: Visit[];
}

const [QUESTION_MARK, NUMBER_SIGN] = [0x3f, 0x23];
const ROOM = { entries: 10_000, bytes: 2 * 1024 * 1024 };
const pages = createByteTable<Page>(ROOM);
const referrers = createByteTable<Referrer>(ROOM);

/** Null when one of the events is to be dropped: the steps of the enrichment are to say why. */
export function readPlainEvents(batch: PlainBatch, receivedAt: number, shopDomain: string): PlainReading | null {
  const times: number[] = [];
  const visits: Visit[] = [];
  let page: Page | null = null;
  let referrer: Referrer | null = null;
  for (let event = 0; event < batch.count; event++) {
    const ts = eventTimeAt(batch.bytes, batch.spans[spanOf(event, PLAIN.ts)] ?? 0, receivedAt);
    if (ts === null) return null;
    times.push(ts);
    const last = visits.at(-1);
    const isSamePage = isAsBefore(batch, event, PLAIN.url);
    const isSameReferrer = isAsBefore(batch, event, PLAIN.referrer);
    if (last !== undefined && isSamePage && isSameReferrer) {
      visits.push(last);
      continue;
    }
    if (page === null || !isSamePage) page = pageOf(batch, event);
    if (referrer === null || !isSameReferrer) referrer = referrerOf(batch, event);
    if (page === null) return null;
    visits.push(composeVisit(page, referrer, shopDomain));
  }
  return { times, visits };
}

function isAsBefore({ repeated }: PlainBatch, event: number, field: number): boolean {
  return ((repeated[event] ?? 0) & (1 << field)) !== 0;
}

function pageOf(batch: PlainBatch, event: number): Page | null {
  const { view, spans } = batch;
  const span = spanOf(event, PLAIN.url);
  const from = spans[span] ?? 0;
  const to = spans[span + 1] ?? 0;
  const known = pages.get(view, from, to);
  if (known !== undefined) return known;
  const page = readPage(plainText(batch, event, PLAIN.url));
  if (page?.isPlain === true) pages.set(view, from, to, page);
  return page;
}

function referrerOf(batch: PlainBatch, event: number): Referrer {
  const { view, spans } = batch;
  const span = spanOf(event, PLAIN.referrer);
  const from = spans[span] ?? 0;
  const to = spans[span + 1] ?? 0;
  const known = referrers.get(view, from, to) ?? referrers.get(view, from, originAndPath(batch, from, to));
  if (known !== undefined) return known;
  const referrer = readReferrer(plainText(batch, event, PLAIN.referrer));
  if (referrer.isPlain) referrers.set(view, from, to, referrer);
  return referrer;
}

/** Where they end: the query and the fragment of a referrer are never read. */
function originAndPath({ bytes }: PlainBatch, from: number, to: number): number {
  let end = from;
  while (end < to && bytes[end] !== QUESTION_MARK && bytes[end] !== NUMBER_SIGN) end++;
  return end;
}
