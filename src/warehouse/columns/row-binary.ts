import { toMicros, toSafeMicros } from '../../domain/micros.js';

const MASK_64 = (1n << 64n) - 1n;
export const TWO_32 = 2 ** 32;

/**
 * Writes ClickHouse's RowBinary: what the API encodes once, the worker splices into inserts without parsing. The bytes do
 * not say what they are: `columns.ts` says which column comes when.
 */
export class RowBinaryWriter {
  #buffer: Buffer;
  /** The same memory: whole words are written faster through it. */
  #view: DataView;
  #length = 0;

  constructor(initialBytes = 64 * 1024) {
    this.#buffer = Buffer.allocUnsafe(initialBytes);
    this.#view = viewOf(this.#buffer);
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Starts over in the same memory: what {@link bytes} gave must not be needed any more. */
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

  uint32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeUInt32LE(value, this.#length);
  }

  /** `value` is a safe integer, not negative. */
  uint64(value: number): void {
    this.#reserve(8);
    this.#uint64(value);
  }

  /** `high` and `low` are the two halves of a UInt128. */
  uint128(high: number, low: number): void {
    this.#reserve(16);
    this.#uint64(low);
    this.#uint64(high);
  }

  /** A `UInt128` whose lower half is still to come. */
  version(high: number): void {
    this.uint128(high, 0);
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
    // A code unit takes at most three bytes.
    this.#reserve(value.length * 3 + 5);
    if (value.length < 0x80 && this.#shortAscii(value)) return;
    this.varint(Buffer.byteLength(value));
    this.#length += this.#buffer.write(value, this.#length);
  }

  /** Days since 1970-01-01 as `Date`. */
  date(day: number): void {
    this.#reserve(2);
    this.#view.setUint16(this.#length, day, true);
    this.#length += 2;
  }

  /** Microseconds as `DateTime64(6)`, or milliseconds as `DateTime64(3)`, since 1970. */
  dateTime64(ticks: number): void {
    this.uint64(ticks);
  }

  /** A whole number of so many words of 64 bits, in two's complement. */
  words(value: bigint, count: number): void {
    this.#reserve(8 * count);
    for (let rest = value, i = 0; i < count; i++, rest >>= 64n) {
      this.#length = this.#buffer.writeBigUInt64LE(rest & MASK_64, this.#length);
    }
  }

  /** Bytes that this writer has written before, from one offset to another. */
  repeat(from: number, to: number): void {
    this.#reserve(to - from);
    this.#buffer.copyWithin(this.#length, from, to);
    this.#length += to - from;
  }

  /** A decimal string, or micro units, as `Decimal(38, 6)`. */
  decimal(value: string | bigint): void {
    if (typeof value === 'bigint') {
      this.words(value, 2);
      return;
    }
    const micros = toSafeMicros(value);
    if (Number.isNaN(micros)) {
      this.words(toMicros(value), 2);
      return;
    }
    this.#reserve(16);
    this.#uint64(micros);
    this.#uint64(0);
  }

  nullableDecimal(value: string | undefined): void {
    this.bool(value === undefined);
    if (value !== undefined) this.decimal(value);
  }

  /** The columns of a nested structure without entries. */
  emptyArrays(columns: number): void {
    this.#reserve(columns);
    for (let i = 0; i < columns; i++) this.#buffer[this.#length++] = 0;
  }

  /** Ids and amounts: a loop here beats the call into the runtime. False when it is not all ASCII. */
  #shortAscii(value: string): boolean {
    const at = this.#length + 1;
    for (let i = 0; i < value.length; i++) {
      const char = value.charCodeAt(i);
      if (char > 0x7f) return false;
      this.#buffer[at + i] = char;
    }
    this.#buffer[at - 1] = value.length;
    this.#length = at + value.length;
    return true;
  }

  /** `>>>` takes the low 32 bits of any safe integer, and what is left divides without a rest. */
  #uint64(value: number): void {
    const low = value >>> 0;
    this.#view.setUint32(this.#length, low, true);
    this.#view.setUint32(this.#length + 4, (value - low) / TWO_32, true);
    this.#length += 8;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    this.#view = viewOf(grown);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
