import { literal } from '../../warehouse/sql.js';
import { clickHouseQuery, type ClickHouseAddress } from '../engines/clickhouse-query.js';
import { accessDenied, badRequest, type Refusal } from './refusal.js';

/** Table functions that read nothing but their arguments, or tables by the rights of the user. */
const OPEN_TABLE_FUNCTIONS = new Set([
  'format',
  'generateRandom',
  'generateSeries',
  'generate_series',
  'merge',
  'null',
  'numbers',
  'numbers_mt',
  'primes',
  'SQLStandardValues',
  'values',
  'view',
  'viewIfPermitted',
  'zeros',
  'zeros_mt',
]);
const PARSE_MS = 10_000;
/** The statement is a literal in the query that checks it, and other queries of the service go first. */
const PARSE_SETTINGS = 'max_query_size = 1048576, max_threads = 1, os_threads_nice_value_query = 15';
/** A text in the engine's own form: a string, or a name in backticks, whose content is kept if it could be without them. */
const QUOTED = /'(?:[^'\\]|\\[^])*'|`(\w+)`|`(?:[^`\\]|\\[^])*`/g;

/** Resolves to the reason why a statement may not reach the engine; undefined where it may. */
type StatementCheck = (sql: string) => Promise<Refusal | undefined>;

/**
 * Checks what the engine checks too late or not at all. It opens files and connections of some table functions before it looks at the
 * rights of the user, takes settings below the top of a query and resets without a look at their bounds, and EXPLAIN counts rows of other
 * shops. The engine writes the statement in its own form first, so that no other parser than its own says what is in it.
 */
export function createStatementCheck(engine: ClickHouseAddress): StatementCheck {
  const ask = (select: string): Promise<string> =>
    clickHouseQuery(engine, `SELECT ${select} FORMAT TSVRaw SETTINGS ${PARSE_SETTINGS}`, PARSE_MS);
  let asked: Promise<RegExp> | undefined;
  const closedFunctions = (): Promise<RegExp> =>
    (asked ??= ask(`arrayStringConcat(groupArray(name), ' ') FROM system.table_functions`).then(
      (names) =>
        new RegExp(
          `\\b(?:${names
            .split(' ')
            .filter((name) => !OPEN_TABLE_FUNCTIONS.has(name))
            .join('|')})\\(`,
          'i',
        ),
    )).catch((error: unknown) => {
      asked = undefined;
      throw error;
    });

  return async (sql) => {
    const closed = await closedFunctions();
    const formatted = await ask(`formatQuerySingleLine(${literal(sql)})`).catch(refusalOf);
    if (typeof formatted !== 'string') return formatted;
    const bare = formatted.replace(QUOTED, (_, name?: string) => name ?? "''");
    const [call] = closed.exec(bare) ?? [];
    if (call !== undefined) return accessDenied(`the table function ${call.slice(0, -1)} is closed`);
    if (/\bEXPLAIN (?!AST |SYNTAX )/.test(bare))
      return accessDenied('EXPLAIN counts rows of others: only AST and SYNTAX are open');
    if (/ = DEFAULT\b/.test(bare)) return accessDenied('a setting cannot be reset: set it to a value');
    if (hasSettingsBelow(bare)) return accessDenied('SETTINGS may stand at the end of a whole query alone');
    return undefined;
  };
}

/** An error of the engine as the answer to who sent the statement. Throws every other error. */
function refusalOf(error: unknown): Refusal {
  const told = /^Code: (\d+)\. DB::Exception: ([^]*?)(?:: In scope [^]*)?\.? \((\w+)\) \(version/;
  const [, code, text = '', name = ''] = told.exec((error as Error).message) ?? [];
  if (code === undefined) throw error;
  return { ...badRequest(text), code: Number(code), name };
}

/** Whether SETTINGS stand elsewhere than at the end of the whole query. */
function hasSettingsBelow(bare: string): boolean {
  const [before = '', ...after] = bare.split(/ SETTINGS /);
  if (after.length === 0) return false;
  const depth = before.replace(/[^(]/g, '').length - before.replace(/[^)]/g, '').length;
  return after.length > 1 || depth !== 0 || / (?:UNION|INTERSECT|EXCEPT) /.test(after[0] ?? '');
}
