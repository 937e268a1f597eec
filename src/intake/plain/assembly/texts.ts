import { copy, isSame } from './bytes';

/** Texts that were met before and the columns made of them, found by the bytes of the text where it stands. */

const MOST_ENTRIES: i32 = 10_000;
/** At most half full, so that a look is seldom more than one. */
const PLACES: i32 = 32_768;
const MOST_BYTES: usize = 3 * 1024 * 1024;

/** A text and its columns. */
@unmanaged
export class Entry {
  hash: i32;
  /** 0: the place is free. */
  text: usize;
  textLength: i32;
  columns: usize;
  columnsLength: i32;
  /** A number for all texts of which the same follows. 0: nothing is known. */
  kind: i32;
}

export class Texts {
  private readonly places: usize = heap.alloc(PLACES * offsetof<Entry>());
  private readonly bytes: usize = heap.alloc(MOST_BYTES + 16);
  private end: usize = this.bytes;
  private entries: i32 = 0;

  clear(): void {
    memory.fill(this.places, 0, PLACES * offsetof<Entry>());
    this.end = this.bytes;
    this.entries = 0;
  }

  find(text: usize, length: i32): Entry | null {
    const entry = this.placeOf(text, length, hashOf(text, length));
    return entry.text == 0 ? null : entry;
  }

  /** Remembers columns; when there is no more room, all else is forgotten. */
  add(text: usize, length: i32, columns: usize, columnsLength: i32, kind: i32): Entry {
    const bytes = length + columnsLength;
    if (this.entries == MOST_ENTRIES || this.end + bytes > this.bytes + MOST_BYTES) this.clear();
    const hash = hashOf(text, length);
    const entry = this.placeOf(text, length, hash);
    entry.hash = hash;
    entry.text = this.end;
    entry.textLength = length;
    entry.columns = copy(this.end, text, length);
    entry.columnsLength = columnsLength;
    entry.kind = kind;
    this.end = copy(entry.columns, columns, columnsLength);
    this.entries++;
    return entry;
  }

  /** The place of a text, or the free one where it belongs. */
  private placeOf(text: usize, length: i32, hash: i32): Entry {
    let place = hash & (PLACES - 1);
    let entry = this.at(place);
    while (entry.text != 0 && !isOf(entry, text, length, hash)) {
      place = (place + 1) & (PLACES - 1);
      entry = this.at(place);
    }
    return entry;
  }

  private at(place: i32): Entry {
    return changetype<Entry>(this.places + place * offsetof<Entry>());
  }
}

function isOf(entry: Entry, text: usize, length: i32, hash: i32): bool {
  return entry.hash == hash && entry.textLength == length && isSame(entry.text, text, length);
}

/** Eight bytes at a time; the factor is the first prime of xxHash64. */
function hashOf(text: usize, length: i32): i32 {
  let hash: u64 = length;
  for (; length >= 8; length -= 8, text += 8) hash = mixed(hash, load<u64>(text));
  if (length > 0) hash = mixed(hash, load<u64>(text) & (((1 as u64) << ((length as u64) << 3)) - 1));
  return (hash ^ (hash >> 32)) as i32;
}

function mixed(hash: u64, word: u64): u64 {
  const product = (hash ^ word) * 0x9e3779b185ebca87;
  return product ^ (product >> 29);
}
