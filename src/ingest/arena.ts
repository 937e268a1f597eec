/** A reusable buffer that grows as bytes are appended. */
export interface Arena {
  /** Copies the bytes; returns where they begin and end. */
  append(bytes: Buffer): [number, number];
  /** Good until the next {@link append} or {@link reset}. */
  view(from: number, to: number): Buffer;
  reset(): void;
}

/** The usual size of a group under load, so that the buffer need not grow. */
const FIRST_BYTES = 256 * 1024;
/** A buffer that grew beyond this is released on reset. */
const KEPT_BYTES = 2 * 1024 * 1024;

export function createArena(): Arena {
  let memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let length = 0;
  return {
    append(bytes) {
      const from = length;
      length += bytes.length;
      if (length > memory.length) {
        const grown = Buffer.allocUnsafeSlow(Math.max(length, memory.length * 2));
        memory.copy(grown, 0, 0, from);
        memory = grown;
      }
      bytes.copy(memory, from);
      return [from, length];
    },
    view: (from, to) => memory.subarray(from, to),
    reset() {
      length = 0;
      if (memory.length > KEPT_BYTES) memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
    },
  };
}
