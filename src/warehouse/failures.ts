import { ClickHouseError } from '@clickhouse/client';
import { RequestError, unavailable } from '../errors.js';

/**
 * Server errors by which an insert says that its rows are at fault: sending the same bytes again can't succeed. Everything
 * else (connection, memory, too many parts, shutdown) passes.
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

/** An insert that came to nothing. */
class InsertFailure extends RequestError {}

/** True when the rows of an insert are at fault. A query never is: by the same codes it tells of stored data that is damaged. */
export function isDataError(error: unknown): boolean {
  const refusal = error instanceof InsertFailure ? answeredBy(error) : null;
  const message = refusal?.message ?? '';
  return DATA_ERRORS.has(refusal?.code ?? '') && !isCutOff(message) && !isOfStoredRows(message);
}

/** A shard that dies in the middle of an insert looks like rows that are cut off: "Attempt to read after eof: … Insertion status:". */
function isCutOff(message: string): boolean {
  return message.includes('Insertion status:') && !message.includes('Received from');
}

/** A view behind the table met a stored part that is damaged, as by a full disk. The rows that were sent are not at fault. */
function isOfStoredRows(message: string): boolean {
  return message.includes('while reading from part');
}

/** True for a failure that the server itself told, for whatever reason. */
export function isAnswered(error: unknown): boolean {
  return answeredBy(error) !== null;
}

/** What tables answer that are closed while rows are moved to other shards (`cluster/closing.ts`): they take no rows, or are away. */
const CLOSED = new Set(['48', '55', '60', '81']);

/** True for a failure that the server told and that may be the fault of what was sent: the same may be refused for ever. */
export function isRefused(error: unknown): boolean {
  const refusal = answeredBy(error);
  return refusal !== null && !CLOSED.has(refusal.code);
}

/** True when the server refuses for want of rights, has no such user, or keeps its users in a file so that no statement can change them. */
export function isAccessRefused(error: unknown): boolean {
  return ['192', '495', '497', '511', '514'].includes(answeredBy(error)?.code ?? '');
}

function answeredBy(error: unknown): ClickHouseError | null {
  const cause = error instanceof RequestError ? error.cause : error;
  return cause instanceof ClickHouseError ? cause : null;
}

/** What the caller of a request gets. The server's own reason is its cause. */
export function toUnavailable(error: unknown, { isInsert }: { isInsert: boolean }): RequestError {
  if (error instanceof RequestError) return error;
  const failure = unavailable('store_unavailable', 'The warehouse is out of reach; try again shortly.', error);
  return isInsert ? new InsertFailure(failure.errors, failure.retryAfter, { cause: error }) : failure;
}
