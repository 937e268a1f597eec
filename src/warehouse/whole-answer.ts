/** A server sent fewer rows than it had, or does not tell how many it had. Another server, or the same one later, may send all. */
class CutAnswerError extends Error {
  override readonly name = 'CutAnswerError';
}

const SUMMARY = 'x-clickhouse-summary';

/** What the server counts before it sends the answer, where it sends nothing earlier (`wait_end_of_query`). */
interface Summary {
  result_rows?: string;
}

/**
 * The rows of an answer, if these are all that the server found. A status of 200 and an end of the body say nothing of that: what a
 * server on a full disk can't put aside is missing, without an error. Throws where rows are missing, or may be.
 */
export function wholeRows<Row>(rows: Row[], headers: Readonly<Record<string, unknown>>): Row[] {
  const summary = headers[SUMMARY];
  const found = typeof summary === 'string' ? (JSON.parse(summary) as Summary).result_rows : undefined;
  if (found === undefined) throw new CutAnswerError(`the server does not say how many rows it found (${SUMMARY})`);
  if (found !== String(rows.length)) throw new CutAnswerError(`the server sent ${rows.length} of ${found} rows`);
  return rows;
}
