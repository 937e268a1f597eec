import { LRUCache } from 'lru-cache';

/** Texts that are longer than this are remembered nowhere. */
export const LONGEST_REMEMBERED = 256;

/** What an entry takes beside its texts. */
const ENTRY_BYTES = 200;

export interface BoundedCache<V> {
  get(key: string): V | undefined;
  /** Does nothing when the key is long. */
  set(key: string, value: V): void;
}

/**
 * What was worked out from texts that clients send: bounded in bytes, the least used entry goes first.
 *
 * @param bytes of all entries
 * @param sizeOf bytes of the texts that a value holds
 */
export function boundedCache<V extends object | string | number | boolean>(
  bytes: number,
  sizeOf: (value: V) => number = () => 0,
): BoundedCache<V> {
  const cache = new LRUCache<string, V>({
    maxSize: bytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + 2 * key.length + sizeOf(value),
  });
  return {
    get: (key) => (key.length > LONGEST_REMEMBERED ? undefined : cache.get(key)),
    set(key, value) {
      if (key.length <= LONGEST_REMEMBERED) cache.set(detached(key), value);
    },
  };
}

/** A copy of its own: a piece of a text keeps the whole text in memory, as long as it may be. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
