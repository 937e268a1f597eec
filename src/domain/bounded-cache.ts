import { LRUCache } from 'lru-cache';

/** Longer texts are not cached. */
export const LONGEST_REMEMBERED = 256;

/** Bytes of an entry besides its texts. */
const ENTRY_BYTES = 200;

export interface BoundedCache<V> {
  get(key: string): V | undefined;
  /** Does nothing when the key is long. */
  set(key: string, value: V): void;
}

/**
 * A cache of results that are derived from texts of clients: bounded in bytes, least recently used entries go first.
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

/** The same function of texts of clients, whose results are remembered in a {@link boundedCache}. */
export function remembering<V extends object | string | number | boolean>(
  bytes: number,
  compute: (key: string) => V,
  sizeOf?: (value: V) => number,
): (key: string) => V {
  const cache = boundedCache<V>(bytes, sizeOf);
  return (key) => {
    let value = cache.get(key);
    if (value === undefined) cache.set(key, (value = compute(key)));
    return value;
  };
}

/** A copy of its own, because a substring keeps the whole text in memory. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
