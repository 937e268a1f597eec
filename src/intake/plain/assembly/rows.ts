import { copy } from './bytes';

/** Rows in ClickHouse's RowBinary. */

export const MOST_ROWS: usize = 1024 * 1024;
const MICROS: u64 = 1_000_000;

/** The rows of one batch. */
export const rows: usize = memory.data(MOST_ROWS as i32);
/** Where the next byte goes. */
export let end: usize = rows;

export function reset(): void {
  end = rows;
}

/** Whether there is still room for so many bytes. */
export function hasRoom(bytes: i32): bool {
  return end + bytes <= rows + MOST_ROWS;
}

export function writeString(from: usize, to: usize): void {
  const length = (to - from) as i32;
  let rest = length;
  for (; rest > 0x7f; rest >>= 7) store<u8>(end++, (rest as u8) | 0x80);
  store<u8>(end++, rest as u8);
  end = copy(end, from, length);
}

/** Columns that stand somewhere as they are to be written. */
export function writeColumns(from: usize, length: i32): void {
  end = copy(end, from, length);
}

export function writeUint64(value: u64): void {
  store<u64>(end, value);
  end += 8;
}

/** The columns of strings that are empty. */
export function writeEmpty(columns: i32): void {
  for (let i = 0; i < columns; i++) store<u8>(end++, 0);
}

/** `Nullable(Decimal(38, 6))` of a whole number of at most nine digits; null where there is none. */
export function writeQuantity(from: usize, to: usize): void {
  store<u8>(end++, from == 0 ? 1 : 0);
  if (from == 0) return;
  let value: u64 = 0;
  for (let at = from; at < to; at++) value = value * 10 + (load<u8>(at) - 0x30);
  writeUint64(value * MICROS);
  writeUint64(0);
}
