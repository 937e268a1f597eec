/** Ids of clients stand behind this. */
const HEAD_LENGTH = 4_000;
const VERB = /^\s*(\w+)/;
const TABLE =
  /\b(?:FROM|INTO|TABLE|VIEW|DATABASE|USER|ROLE)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?([A-Za-z_]\w{0,63}(?:\.[A-Za-z_]\w{0,63})?)/;

/**
 * What a statement is called in logs and metrics: what it does and the first table that it names, such as
 * `select daily_orders`. Literals are left out, so that no client's text becomes part of a name.
 */
export function nameOfStatement(sql: string): string {
  const head = sql.slice(0, HEAD_LENGTH).replace(/'(?:[^'\\]|\\.)*(?:'|$)/g, "''");
  const verb = VERB.exec(head)?.[1]?.toLowerCase() ?? 'statement';
  const table = TABLE.exec(head)?.[1];
  const does = verb === 'with' ? 'select' : verb;
  return table === undefined ? does : `${does} ${table}`;
}
