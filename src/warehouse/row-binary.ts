import { toMicros } from '../domain/money.js';

const MASK_64 = (1n << 64n) - 1n;
/** Below this length writing byte by byte is faster than a call into the engine. */
const SHORT = 48;

/**
 * Writes ClickHouse's RowBinary: what the API encodes once, the worker splices into inserts without parsing. Columns come
 * in the order of the insert's column list; a reader of the bytes needs that list.
 */
export class RowBinaryWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(initialBytes = 64 * 1024) {
    this.#buffer = Buffer.allocUnsafe(initialBytes);
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Begins anew in the same memory: what {@link bytes} gave must not be needed any more. */
  reset(): void {
    this.#length = 0;
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  bool(value: boolean): void {
    this.uint8(value ? 1 : 0);
  }

  /** `value` is a safe integer, not negative. */
  uint64(value: number): void {
    this.#reserve(8);
    // Two halves, because a BigInt for each number costs more than the rest.
    const low = value >>> 0;
    this.#length = this.#buffer.writeUInt32LE(low, this.#length);
    this.#length = this.#buffer.writeUInt32LE((value - low) / 2 ** 32, this.#length);
  }

  /** `high` and `low` are the two halves of a UInt128. */
  uint128(high: number, low: number): void {
    this.uint64(low);
    this.uint64(high);
  }

  /** Length of an array, or of a string's bytes. */
  varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  string(value: string): void {
    // A code unit takes at most three bytes; short ASCII, the common case, is written without measuring twice.
    this.#reserve(value.length * 3 + 5);
    if (value.length <= SHORT && this.#ascii(value)) return;
    if (value.length < 0x80) {
      const written = this.#buffer.write(value, this.#length + 1);
      if (written < 0x80) {
        this.#buffer[this.#length] = written;
        this.#length += written + 1;
        return;
      }
    }
    this.varint(Buffer.byteLength(value));
    this.#length += this.#buffer.write(value, this.#length);
  }

  /** Days since 1970-01-01 as `Date`. */
  date(day: number): void {
    this.#reserve(2);
    this.#length = this.#buffer.writeUInt16LE(day, this.#length);
  }

  /** Microseconds as `DateTime64(6)`, or milliseconds as `DateTime64(3)`, since 1970. */
  dateTime64(ticks: number): void {
    this.uint64(ticks);
  }

  /** Columns that were encoded before, as {@link bytes} gave them. */
  raw(columns: Uint8Array): void {
    this.#reserve(columns.length);
    this.#buffer.set(columns, this.#length);
    this.#length += columns.length;
  }

  /** A decimal string as `Decimal(38, 6)`. */
  decimal(value: string): void {
    this.micros(toMicros(value));
  }

  /** Micro units as `Decimal(38, 6)`. */
  micros(value: bigint): void {
    this.#reserve(16);
    this.#length = this.#buffer.writeBigUInt64LE(value & MASK_64, this.#length);
    this.#length = this.#buffer.writeBigInt64LE(value >> 64n, this.#length);
  }

  nullableDecimal(value: string | undefined): void {
    this.bool(value === undefined);
    if (value !== undefined) this.decimal(value);
  }

  array<T>(items: readonly T[], write: (item: T) => void): void {
    this.varint(items.length);
    for (const item of items) write(item);
  }

  /** Writes a short text byte by byte, which a call into the engine can't beat; false when it is not all ASCII. */
  #ascii(value: string): boolean {
    const start = this.#length + 1;
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) return false;
      this.#buffer[start + i] = unit;
    }
    this.#buffer[this.#length] = value.length;
    this.#length = start + value.length;
    return true;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}
