/** Of these headers each reader of a request could take another one: a proxy the first, the service the last. */
const SINGLE = ['Host', 'Authorization'] as const;

/** The header that a request has twice though it may have it once; null: none. `raw` has names and values in turn. */
export function doubledHeader(raw: readonly string[]): string | null {
  for (const name of SINGLE) {
    let count = 0;
    for (let i = 0; i < raw.length; i += 2) {
      const given = raw[i];
      if (given?.length === name.length && given.toLowerCase() === name.toLowerCase()) count++;
    }
    if (count > 1) return name;
  }
  return null;
}
