import { body, count, Field, isAsBefore, readBatch, tokenFrom, tokenTo, valueFrom, valueTo } from './batch';
import {
  end,
  hasRoom,
  MOST_ROWS,
  reset,
  rows,
  writeColumns,
  writeEmpty,
  writeQuantity,
  writeString,
  writeUint64,
} from './rows';
import { compress } from './snappy';
import { eventTimeAt, NO_TIME } from './time';
import { answer, forget, writeVisit } from './visits';

/** Plain batches, from their bytes to their rows. What the host gives and takes beside numbers stands in memory. */

export { answer, body, forget };

const SENDER: i32 =
  (1 << Field.AnonId) | (1 << Field.SessionHint) | (1 << Field.Consent) | (1 << Field.Sdk) | (1 << Field.StoreClientId);
const VISIT: i32 = (1 << Field.Url) | (1 << Field.Referrer);
/** `order_id`, `checkout_token` and `email_hash`, which no plain event has. */
const JOINED_COLUMNS: i32 = 3;
/** What the row of one event can take at most: the whole of a body, and columns of the host. */
const MOST_ROW: i32 = 192 * 1024;
const MAX_SAFE_INTEGER: u64 = 0x1fffffffffffff;

/** What has been found out; `encoder.ts` knows the places of these fields. */
@unmanaged
class Findings {
  /** Time of the earliest event, in milliseconds since 1970. */
  since: f64;
  tokenFrom: u32;
  tokenTo: u32;
  count: i32;
  rowsLength: i32;
  packedLength: i32;
  /** How many visitors there are behind: where the `anon_id` of each begins and ends. */
  visitors: i32;
}
export const findings: usize = memory.data(256);
const found = changetype<Findings>(findings);
/** The rows, compressed. */
export const packed: usize = memory.data(((MOST_ROWS * 7) / 6 + 64) as i32);
/** The encoded id of the shop. */
export const shopId: usize = memory.data(4096);

/** Reads the body of so many bytes; false when it is no plain batch. */
export function read(length: i32): bool {
  if (!readBatch(length)) return false;
  found.tokenFrom = tokenFrom as u32;
  found.tokenTo = tokenTo as u32;
  found.count = count;
  return true;
}

/**
 * Writes the rows of the batch that was read, and compresses them. False when one of its events may have to be dropped, or
 * the rows are too long. `arrival` is that of the first event in microseconds; the next ones follow it.
 */
export function encode(shopIdLength: i32, shopHost: i32, receivedAt: f64, arrival: f64): bool {
  reset();
  let visitors: i32 = 0;
  let since = i64.MAX_VALUE;
  let sender: usize = 0;
  let senderLength: i32 = 0;
  let visit: usize = 0;
  let visitLength: i32 = 0;
  for (let event: i32 = 0; event < count; event++) {
    if (!hasRoom(MOST_ROW)) return false;
    const ts = eventTimeAt(valueFrom(event, Field.Ts), receivedAt as i64);
    if (ts == NO_TIME) return false;
    since = min(since, ts);
    if (event > 0 && isAsBefore(event, SENDER)) {
      writeColumns(sender, senderLength);
    } else {
      if (event == 0 || !isAsBefore(event, 1 << Field.AnonId)) noteVisitor(event, visitors++);
      sender = end;
      writeColumns(shopId, shopIdLength);
      writeUint64(receivedAt as u64);
      writeField(event, Field.AnonId);
      writeField(event, Field.SessionHint);
      writeField(event, Field.Consent);
      writeField(event, Field.Sdk);
      writeField(event, Field.StoreClientId);
      senderLength = (end - sender) as i32;
    }
    writeField(event, Field.EventId);
    writeUint64(MAX_SAFE_INTEGER - (arrival as u64) - event);
    writeField(event, Field.Type);
    writeUint64(ts as u64);
    writeEmpty(JOINED_COLUMNS);
    writeField(event, Field.ProductId);
    writeField(event, Field.Sku);
    writeQuantity(valueFrom(event, Field.Quantity), valueTo(event, Field.Quantity));
    if (event > 0 && isAsBefore(event, VISIT)) {
      writeColumns(visit, visitLength);
    } else {
      visit = end;
      if (!writeVisit(event, shopHost)) return false;
      visitLength = (end - visit) as i32;
    }
  }
  const length = (end - rows) as i32;
  found.rowsLength = length;
  found.packedLength = (compress(rows, length, packed) - packed) as i32;
  found.since = since as f64;
  found.visitors = visitors;
  return true;
}

function noteVisitor(event: i32, place: i32): void {
  const at = findings + offsetof<Findings>() + ((place as usize) << 3);
  store<u32>(at, valueFrom(event, Field.AnonId) as u32);
  store<u32>(at, valueTo(event, Field.AnonId) as u32, 4);
}

function writeField(event: i32, field: Field): void {
  writeString(valueFrom(event, field), valueTo(event, field));
}
