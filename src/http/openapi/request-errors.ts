import type { ErrorCode } from '../../error-catalogue.js';
import { statusOf } from '../../errors.js';
import type { Operation } from './operation.js';

/** The request-level codes of an operation by status: what its scope, parameters and body bring, and its own. */
export function requestErrors(operation: Operation): Map<number, ErrorCode[]> {
  const { scope, parameters = [], body, errors = [], path } = operation;
  const codes = new Set<ErrorCode>(errors);
  const add = (...more: ErrorCode[]): void => more.forEach((code) => codes.add(code));
  // Parameters: one that is not known, one that is given twice or has another value than those of its set.
  if (path.startsWith('/v1/')) add('unknown_field', 'invalid_value');
  for (const { errors: own = [] } of parameters) add(...own);
  if (path.includes('{')) add('invalid_request');
  if (scope !== null) add('unauthorized', 'forbidden_scope', 'rate_limited', 'store_unavailable');
  if (body !== undefined) {
    add('invalid_json', 'invalid_request', 'missing_field', 'invalid_type', 'too_many');
    add('body_too_large', 'unsupported_media_type', 'request_timeout');
  }
  if (operation.answers[200]?.rows !== undefined) add('not_acceptable');
  add('internal');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
