/** What is known of texts, found by their bytes where they stand: to make a string first takes longer than all the rest. */
export interface ByteTable<T> {
  get(bytes: DataView, from: number, to: number): T | undefined;
  /** Remembers a value until the table is full, and then begins anew. */
  set(bytes: DataView, from: number, to: number, value: T): void;
}

export interface ByteTableOptions {
  entries: number;
  /** Bytes of all texts together; a longer one is not remembered. */
  bytes: number;
}

export function createByteTable<T>(options: ByteTableOptions): ByteTable<T> {
  // At most half full, so that a look is seldom more than one.
  const size = 2 ** Math.ceil(Math.log2(options.entries * 2));
  const hashes = new Int32Array(size);
  const starts = new Int32Array(size);
  /** One more than the length; 0 where there is no entry. */
  const lengths = new Int32Array(size);
  const values = new Array<T | undefined>(size).fill(undefined);
  const texts = new DataView(new ArrayBuffer(options.bytes));
  let entries = 0;
  let end = 0;

  /** The place of a text, or the free one where it belongs. */
  const placeOf = (bytes: DataView, from: number, length: number, hash: number): number => {
    let place = hash & (size - 1);
    for (;;) {
      const known = lengths[place];
      if (known === 0) return place;
      if (hashes[place] === hash && known === length + 1 && isSame(texts, starts[place] ?? 0, bytes, from, length)) {
        return place;
      }
      place = (place + 1) & (size - 1);
    }
  };

  return {
    get: (bytes, from, to) => values[placeOf(bytes, from, to - from, hashOf(bytes, from, to))],
    set(bytes, from, to, value) {
      const length = to - from;
      if (length > options.bytes) return;
      if (entries === options.entries || end + length > options.bytes) {
        lengths.fill(0);
        values.fill(undefined);
        entries = 0;
        end = 0;
      }
      const hash = hashOf(bytes, from, to);
      const place = placeOf(bytes, from, length, hash);
      if (lengths[place] === 0) {
        entries++;
        hashes[place] = hash;
        lengths[place] = length + 1;
        starts[place] = end;
        for (let i = from; i < to; i++) texts.setUint8(end++, bytes.getUint8(i));
      }
      values[place] = value;
    },
  };
}

/** By words, since a loop over bytes takes several times as long; its factor is that of xxHash. */
function hashOf(bytes: DataView, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) hash = mixed(hash, bytes.getInt32(at, true));
  for (; at < to; at++) hash = mixed(hash, bytes.getUint8(at));
  return hash ^ (hash >>> 15);
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 13);
}

function isSame(one: DataView, oneFrom: number, other: DataView, otherFrom: number, length: number): boolean {
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    if (one.getInt32(oneFrom + i, true) !== other.getInt32(otherFrom + i, true)) return false;
  }
  for (; i < length; i++) if (one.getUint8(oneFrom + i) !== other.getUint8(otherFrom + i)) return false;
  return true;
}
