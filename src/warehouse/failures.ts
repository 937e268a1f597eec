import { ClickHouseError } from '@clickhouse/client';
import { isRequestError, RequestError, unavailable } from '../errors.js';

/**
 * Server errors of an insert whose rows are at fault: sending the same bytes again can't succeed. All other errors (connection,
 * memory, too many parts, shutdown) are temporary.
 */
const DATA_ERRORS = new Set([
  '6', // CANNOT_PARSE_TEXT
  '25', // CANNOT_PARSE_ESCAPE_SEQUENCE
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '32', // ATTEMPT_TO_READ_AFTER_EOF
  '33', // CANNOT_READ_ALL_DATA
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '69', // ARGUMENT_OUT_OF_BOUND
  '70', // CANNOT_CONVERT_TYPE
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '128', // TOO_LARGE_ARRAY_SIZE
  '130', // CANNOT_READ_ARRAY_FROM_TEXT
  '131', // TOO_LARGE_STRING_SIZE
  '190', // SIZES_OF_ARRAYS_DONT_MATCH
  '246', // CORRUPTED_DATA
  '321', // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  '349', // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  '407', // DECIMAL_OVERFLOW
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
  // A server came back without its tables: `profit migrate` makes them.
  '60', // UNKNOWN_TABLE
  '81', // UNKNOWN_DATABASE
  // Its disk is full: small writes find no more room than a large one.
  '243', // NOT_ENOUGH_SPACE
  // Too much is under way: queries, parts to be merged.
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '252', // TOO_MANY_PARTS
  // Another server of the cluster gives no answer: in time, at all, for any try.
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '279', // ALL_CONNECTION_TRIES_FAILED
  // So does Keeper, and tables are read-only until it does.
  '225', // NO_ZOOKEEPER
  '242', // TABLE_IS_READ_ONLY
  '999', // KEEPER_EXCEPTION
  // Replicas are behind or away: too few of them, a write before that they do not have, a write whose end is unknown.
  '285', // TOO_FEW_LIVE_REPLICAS
  '286', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '289', // REPLICA_IS_NOT_IN_QUORUM
  '319', // UNKNOWN_STATUS_OF_INSERT
]);

/**
 * True for an error of the server that the statement may have caused, so that a retry may never succeed. The caller then takes the
 * work apart and tries the parts, so it must be false for what overload does: many small writes instead of one add to it.
 */
export function isRefused(error: unknown): boolean {
  const refusal = answeredBy(error);
  return refusal !== null && !OF_SERVERS.has(refusal.code);
}

const OF_ACCESS = new Set([
  '192', // UNKNOWN_USER
  '495', // ACCESS_STORAGE_READONLY
  '497', // ACCESS_DENIED
  '511', // UNKNOWN_ROLE
  '514', // ACCESS_STORAGE_FOR_INSERTION_NOT_FOUND
]);

/** True when rights are missing, the user does not exist, or users are in a file, which no statement can change. */
export function isAccessRefused(error: unknown): boolean {
  return OF_ACCESS.has(answeredBy(error)?.code ?? '');
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
  if (isRequestError(error)) return error;
  const failure = unavailable('store_unavailable', 'The warehouse is out of reach; try again shortly.', error);
  return isInsert ? new InsertFailure(failure.errors, failure.retryAfter, { cause: error }) : failure;
}
