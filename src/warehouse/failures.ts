import { ClickHouseError } from '@clickhouse/client';
import { RequestError, unavailable } from '../errors.js';

/**
 * Server errors of an insert whose rows are at fault: sending the same bytes again can't succeed. All other errors (connection,
 * memory, too many parts, shutdown) are temporary.
 */
const DATA_ERRORS = new Set([
  '6',
  '25',
  '26',
  '27',
  '32',
  '33',
  '38',
  '41',
  '53',
  '69',
  '70',
  '72',
  '117',
  '128',
  '130',
  '131',
  '190',
  '246',
  '321',
  '349',
  '407',
]);

/** An insert that failed. */
class InsertFailure extends RequestError {}

/** True when the rows of an insert are at fault. Never true for a query: there the same codes mean that stored data is damaged. */
export function isDataError(error: unknown): boolean {
  const refusal = error instanceof InsertFailure ? answeredBy(error) : null;
  const message = refusal?.message ?? '';
  return DATA_ERRORS.has(refusal?.code ?? '') && !isCutOff(message) && !isOfStoredRows(message);
}

/** A shard that dies during an insert gives the same error as truncated rows: "Attempt to read after eof: … Insertion status:". */
function isCutOff(message: string): boolean {
  return message.includes('Insertion status:') && !message.includes('Received from');
}

/** A view on the table read a stored part that is damaged, for example by a full disk. The rows of the insert are not at fault. */
function isOfStoredRows(message: string): boolean {
  return message.includes('while reading from part');
}

/** True for an error that the server itself answered with. */
export function isAnswered(error: unknown): boolean {
  return answeredBy(error) !== null;
}

/** Errors that tell of the servers and not of the statement: it succeeds on another server, or later. */
const OF_SERVERS = new Set([
  // Tables that are closed while rows move to other shards (`cluster/closing.ts`): read-only, or missing.
  '48',
  '55',
  '60',
  '81',
  // Too much is under way: queries, parts to be merged.
  '202',
  '252',
  // Another server of the cluster gives no answer: in time, at all, for any try.
  '209',
  '210',
  '279',
  // So does Keeper, and tables are read-only until it does.
  '225',
  '242',
  '999',
  // Replicas are behind or away: too few of them, a write before that they do not have, a write whose end is unknown.
  '285',
  '286',
  '319',
]);

/**
 * True for an error of the server that the statement may have caused, so that a retry may never succeed. The caller then takes the
 * work apart and tries the parts, so it must be false for what overload does: many small writes instead of one add to it.
 */
export function isRefused(error: unknown): boolean {
  const refusal = answeredBy(error);
  return refusal !== null && !OF_SERVERS.has(refusal.code);
}

/** True when rights are missing, the user does not exist, or users are in a file, which no statement can change. */
export function isAccessRefused(error: unknown): boolean {
  return ['192', '495', '497', '511', '514'].includes(answeredBy(error)?.code ?? '');
}

/** The name of a refusal, such as `MEMORY_LIMIT_EXCEEDED`: its text may quote rows of others. */
export function refusalName(error: unknown): string {
  return answeredBy(error)?.type ?? 'UNKNOWN';
}

function answeredBy(error: unknown): ClickHouseError | null {
  const cause = error instanceof RequestError ? error.cause : error;
  return cause instanceof ClickHouseError ? cause : null;
}

/** The error that the caller gets. The server's own error is its cause. */
export function toUnavailable(error: unknown, { isInsert }: { isInsert: boolean }): RequestError {
  if (error instanceof RequestError) return error;
  const failure = unavailable('store_unavailable', 'The warehouse is out of reach; try again shortly.', error);
  return isInsert ? new InsertFailure(failure.errors, failure.retryAfter, { cause: error }) : failure;
}
