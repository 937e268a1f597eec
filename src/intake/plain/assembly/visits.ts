import { copy } from './bytes';
import { Field, isAsBefore, valueFrom, valueTo } from './batch';
import { writeColumns } from './rows';
import { Entry, Texts } from './texts';

/** Where an event happened and how its visitor came there, as columns. What is not known yet, the host is asked for. */

const MOST_COLUMNS: i32 = 32 * 1024;

/** Where the host writes what it is asked for. */
export const answer: usize = memory.data(MOST_COLUMNS + 16);

/** Each of the three gives how many bytes of columns are in {@link answer} now; -1: the batch has to go the other way. */
declare function readPage(from: usize, to: usize): i32;
declare function readReferrer(from: usize, to: usize, endOfPath: usize): i32;
/** A number of the last page or referrer: that of all of which the same class and channel follow; 0: not to be remembered. */
declare function kindOfAnswer(): i32;
/** The class of the referrer and the channel. A kind of 0 stands for the page, or the referrer, that was asked for last. */
declare function readChannel(pageKind: i32, referrerKind: i32, shopHost: i32): i32;

/** The page, or the referrer, of an event. */
class Place {
  private readonly known: Texts = new Texts();
  /** Columns that are not remembered. */
  private readonly own: usize = heap.alloc(MOST_COLUMNS + 16);
  columns: usize = 0;
  length: i32 = 0;
  kind: i32 = 0;

  forget(): void {
    this.known.clear();
  }

  /** False when it is not known. */
  recall(from: usize, to: usize): bool {
    const entry = this.known.find(from, (to - from) as i32);
    if (entry === null) return false;
    this.take(entry);
    return true;
  }

  /** Takes what the host has answered. */
  learn(from: usize, to: usize, length: i32): void {
    const kind = kindOfAnswer();
    if (kind != 0) {
      this.take(this.known.add(from, (to - from) as i32, answer, length, kind));
      return;
    }
    copy(this.own, answer, length);
    this.columns = this.own;
    this.length = length;
    this.kind = 0;
  }

  private take(entry: Entry): void {
    this.columns = entry.columns;
    this.length = entry.columnsLength;
    this.kind = entry.kind;
  }
}
const page = new Place();
const referrer = new Place();

const MOST_CHANNEL: i32 = 48;
const CHANNELS: i32 = 4096;

/** What is known of a kind of page and a kind of referrer; a later one may take its place. */
@unmanaged
class Channel {
  pageKind: i32;
  referrerKind: i32;
  shopHost: i32;
  length: i32;
}
const CHANNEL_BYTES: i32 = offsetof<Channel>() + MOST_CHANNEL;
const channels: usize = heap.alloc(CHANNELS * CHANNEL_BYTES);

/** Forgets all that was answered; the numbers of kinds begin anew. */
export function forget(): void {
  page.forget();
  referrer.forget();
  memory.fill(channels, 0, CHANNELS * CHANNEL_BYTES);
}

/** Writes the columns of the visit; false when the batch has to go the other way. */
export function writeVisit(event: i32, shopHost: i32): bool {
  if (event == 0 || !isAsBefore(event, 1 << Field.Url)) {
    const from = valueFrom(event, Field.Url);
    const to = valueTo(event, Field.Url);
    if (!page.recall(from, to)) {
      const length = readPage(from, to);
      if (length < 0) return false;
      page.learn(from, to, length);
    }
  }
  if (event == 0 || !isAsBefore(event, 1 << Field.Referrer)) {
    const from = valueFrom(event, Field.Referrer);
    const to = valueTo(event, Field.Referrer);
    const end = endOfPath(from, to);
    if (!referrer.recall(from, end)) {
      const length = readReferrer(from, to, end);
      if (length < 0) return false;
      referrer.learn(from, end, length);
    }
  }
  writeColumns(page.columns, page.length);
  writeColumns(referrer.columns, referrer.length);
  return writeChannel(shopHost);
}

/** The query and the fragment of a referrer are never read. */
function endOfPath(from: usize, to: usize): usize {
  for (let at = from; at < to; at++) if (load<u8>(at) == 0x3f || load<u8>(at) == 0x23) return at;
  return to;
}

function writeChannel(shopHost: i32): bool {
  const pageKind = page.kind;
  const referrerKind = referrer.kind;
  const place = ((pageKind * 31 + referrerKind) * 31 + shopHost) & (CHANNELS - 1);
  const known = changetype<Channel>(channels + place * CHANNEL_BYTES);
  const columns = changetype<usize>(known) + offsetof<Channel>();
  const canBeKnown = pageKind != 0 && referrerKind != 0;
  if (canBeKnown && known.pageKind == pageKind && known.referrerKind == referrerKind && known.shopHost == shopHost) {
    writeColumns(columns, known.length);
    return true;
  }
  const length = readChannel(pageKind, referrerKind, shopHost);
  if (length < 0) return false;
  writeColumns(answer, length);
  if (canBeKnown && length <= MOST_CHANNEL) {
    known.pageKind = pageKind;
    known.referrerKind = referrerKind;
    known.shopHost = shopHost;
    known.length = length;
    copy(columns, answer, length);
  }
  return true;
}
