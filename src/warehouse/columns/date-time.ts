/**
 * An instant, in milliseconds since 1970, as the text of a `DateTime` or `DateTime64(3)` of UTC in a row of JSON. Never a number:
 * ClickHouse before 26.8 reads it as milliseconds, later ones as seconds. Throws a RangeError for what is no instant.
 */
export function dateTimeText(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0 || ms >= END_MS)
    throw new RangeError('the instant does not lie between 1970 and 2299');
  return new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
}

/** The end of what a `DateTime64` holds; ClickHouse would store a later instant as this one. */
const END_MS = Date.UTC(2300, 0);

export const nullableDateTimeText = (ms: number | null): string | null => (ms === null ? null : dateTimeText(ms));
