/**
 * A receipt is the batch id of its push: a UUID of version 7, which begins with the time when it was made, so that an old one
 * is found in the ingest log without a search through all of it.
 */
const RECEIPT = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME_DIGITS = 12;
/** Where the digits stand that tell the version. */
const VERSION_AT = 14;

/** @param random a random UUID */
export function batchId(nowMs: number, random: string): string {
  const time = Math.trunc(nowMs).toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(VERSION_AT + 1)}`;
}

export interface Receipt {
  batchId: string;
  /** Milliseconds since 1970. */
  madeAt: number;
}

/** Null when no push can have this receipt. */
export function parseReceipt(text: string): Receipt | null {
  const [, high = '', low = ''] = RECEIPT.exec(text) ?? [];
  return high === '' ? null : { batchId: text, madeAt: parseInt(high + low, 16) };
}
