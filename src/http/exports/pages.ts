/** A part of a list, and where it ended; `last` is absent where nothing follows. */
export interface Page<Row, Place> {
  rows: Row[];
  last: Place | undefined;
}

/** The first `size` rows of a list of which one row more was asked for. */
export function pageOf<Row>(found: readonly Row[], size: number): Page<Row, Row> {
  const rows = found.slice(0, size);
  return { rows, last: found.length > size ? rows.at(-1) : undefined };
}

/** All pages of a list, one after the other. */
export async function* allPages<Row, Place>(
  read: (after: Place | undefined) => Promise<Page<Row, Place>>,
): AsyncGenerator<Row[]> {
  let after: Place | undefined;
  do {
    const { rows, last } = await read(after);
    yield rows;
    after = last;
  } while (after !== undefined);
}

/** The first `size` rows of a list that is read in parts. */
export async function firstOf<Row>(
  read: (most: number) => AsyncIterable<readonly Row[]>,
  size: number,
): Promise<Page<Row, Row>> {
  const found: Row[] = [];
  for await (const rows of read(size + 1)) {
    found.push(...rows);
    if (found.length > size) break;
  }
  return pageOf(found, size);
}

/** The warehouse reads a part while the one before is encoded and sent. */
export async function* ahead<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const read = parts[Symbol.asyncIterator]();
  let next = read.next();
  try {
    for (;;) {
      const part = await next;
      if (part.done === true) return;
      next = read.next();
      next.catch(() => undefined); // thrown where it is awaited
      yield part.value;
    }
  } finally {
    await read.return?.();
  }
}
