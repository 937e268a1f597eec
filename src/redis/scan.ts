/** All pages of a SCAN command; `page` asks for the one at a cursor. */
export async function* scanPages(
  page: (cursor: string) => Promise<[cursor: string, entries: string[]]>,
): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, entries] = await page(cursor);
    yield entries;
    cursor = next;
  } while (cursor !== '0');
}

/** The pairs of a reply that lists a field or member and its value by turns. */
export const pairsOf = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: flat.length >> 1 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
