import { STAMPS_OF_ORDER, type Occasion } from '../../domain/orders/orders.js';
import { RowBinaryWriter, TWO_32 } from './row-binary.js';

const WORD = 4;
const VERSION_BYTES = 16;

/**
 * Rows whose versions lack their lower half, the arrival stamp. The rows of one item follow each other. At the end there is an index:
 * where the stamps belong, and where each item ends.
 */
export class StampedRowWriter extends RowBinaryWriter {
  readonly #places: number[] = [];
  /** Of each item: where its rows end, and how many places there are up to it. */
  readonly #ends: number[] = [];
  #isEnded = false;

  /** A `UInt128` of the update's microseconds and the stamp to come. */
  override version(updatedAt: number): void {
    this.#places.push(this.length);
    super.version(updatedAt);
  }

  override reset(): void {
    super.reset();
    this.#places.length = 0;
    this.#ends.length = 0;
    this.#isEnded = false;
  }

  endItem(): void {
    this.#ends.push(this.length, this.#places.length);
  }

  /** All rows, for {@link stampRows}; no further ones may follow. The bytes are the writer's own. */
  unstamped(): Buffer {
    if (!this.#isEnded) {
      this.#isEnded = true;
      const [places, ends] = [this.#places, this.#ends];
      for (const word of [...places, ...ends, places.length, ends.length / 2]) this.uint32(word);
    }
    return this.bytes();
  }
}

/**
 * The rows of the accepted items, item `i` with the stamp `first + STAMPS_OF_ORDER * i`, in the memory of the unstamped ones. Throws a
 * RangeError if these are damaged.
 *
 * @param occasionOf of an accepted item, for rows in which it is the column after the version
 */
export function stampRows(
  unstamped: Buffer,
  isAccepted: (item: number) => boolean,
  first: number,
  occasionOf?: (item: number) => Occasion,
): Buffer[] {
  const items = unstamped.readUInt32LE(unstamped.length - WORD);
  const places = unstamped.readUInt32LE(unstamped.length - 2 * WORD);
  const placesAt = unstamped.length - (2 + places + 2 * items) * WORD;
  const word = (index: number): number => unstamped.readUInt32LE(placesAt + index * WORD);
  const kept: Buffer[] = [];
  let start = 0;
  let place = 0;
  for (let i = 0; i < items; i++) {
    const end = word(places + 2 * i);
    const stamp = first + STAMPS_OF_ORDER * i;
    const low = stamp >>> 0;
    const occasion = occasionOf?.(i);
    for (const last = word(places + 2 * i + 1); place < last; place++) {
      const at = word(place);
      unstamped.writeUInt32LE(low, at);
      unstamped.writeUInt32LE((stamp - low) / TWO_32, at + WORD);
      if (occasion !== undefined) unstamped.writeUInt8(occasion, at + VERSION_BYTES);
    }
    if (isAccepted(i)) kept.push(unstamped.subarray(start, end));
    start = end;
  }
  return kept.length === items ? [unstamped.subarray(0, start)] : kept;
}
