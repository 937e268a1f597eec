/** Rows of JSON name their columns themselves. */
export const NO_HEAD = Buffer.alloc(0);

/** Rows as `JSONEachRow`, for tables of which a push has a thousand rows at most. */
export function jsonRows(rows: readonly object[]): Buffer {
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** A field without a column, or null where the column holds none, is a fault: the engine would leave it out, or write 0. */
export const JSON_INSERT_SETTINGS = { input_format_skip_unknown_fields: 0, input_format_null_as_default: 0 } as const;
