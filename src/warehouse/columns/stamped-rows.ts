import { STAMPS_OF_ORDER } from '../../domain/orders/orders.js';
import { RowBinaryWriter, TWO_32 } from './row-binary.js';

/**
 * Rows whose versions lack their lower half, the arrival stamp, until it is known. The rows of one item follow each other;
 * an item that is not accepted leaves none behind.
 */
export class StampedRowWriter extends RowBinaryWriter {
  /** Where stamps belong. */
  readonly #places: number[] = [];
  /** Of each item: where its rows end, and how many places there are up to it. */
  readonly #ends: { bytes: number; places: number }[] = [];

  /** A `UInt128` of the update's microseconds and the stamp to come. */
  override version(updatedAt: number): void {
    this.#places.push(this.length);
    super.version(updatedAt);
  }

  override reset(): void {
    super.reset();
    this.#places.length = 0;
    this.#ends.length = 0;
  }

  endItem(): void {
    this.#ends.push({ bytes: this.length, places: this.#places.length });
  }

  /** The rows of the accepted items, item `i` with the stamp `first + STAMPS_OF_ORDER * i`. The bytes are the writer's own. */
  stamped(accepted: readonly boolean[], first: number): Buffer {
    const all = this.bytes();
    const kept: Buffer[] = [];
    let start = 0;
    let place = 0;
    this.#ends.forEach((end, i) => {
      const stamp = first + STAMPS_OF_ORDER * i;
      const low = stamp >>> 0;
      for (; place < end.places; place++) {
        const at = this.#places[place] ?? 0;
        all.writeUInt32LE(low, at);
        all.writeUInt32LE((stamp - low) / TWO_32, at + 4);
      }
      if (accepted[i] === true) kept.push(all.subarray(start, end.bytes));
      start = end.bytes;
    });
    return kept.length === this.#ends.length ? all : Buffer.concat(kept);
  }
}
