import { ELEMENTS_ROOM, packElements, type Packed } from '../../queue/jobs.js';
import type { GroupRows } from '../event-groups.js';

/** What a group under load comes to, so that its memory is not grown and copied again and again. */
const BYTES = 256 * 1024;

/** Rows that come compressed, request by request. */
export class PackedRows implements GroupRows {
  #memory = Buffer.allocUnsafe(BYTES);
  #end = ELEMENTS_ROOM;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @param length of the rows that have been compressed to these elements of Snappy */
  append(elements: Buffer, length: number): void {
    const end = this.#end + elements.length;
    if (end > this.#memory.length) {
      this.#memory = Buffer.concat([this.#memory.subarray(0, this.#end)], Math.max(end, this.#memory.length * 2));
    }
    elements.copy(this.#memory, this.#end);
    this.#end = end;
    this.#length += length;
  }

  packed(): Packed {
    return packElements(this.#length, this.#memory.subarray(0, this.#end));
  }

  reset(): void {
    this.#end = ELEMENTS_ROOM;
    this.#length = 0;
  }
}
