/** Rows of JSON name their columns themselves. */
export const NO_HEAD = Buffer.alloc(0);

/** Rows as `JSONEachRow`, for tables of which a push has a thousand rows at most. */
export function jsonRows(rows: readonly object[]): Buffer {
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
