import type { ErrorCode } from '../../error-catalogue.js';
import { statusOf } from '../../errors.js';
import type { Operation } from './operation.js';

/** Codes that parameters and a body bring by themselves. */
export function askedErrors({
  path,
  parameters = [],
  body,
}: Pick<Operation, 'path' | 'parameters' | 'body'>): ErrorCode[] {
  const codes = parameters.flatMap(({ errors = [] }) => errors);
  if (/[{:*]/.test(path)) codes.push('invalid_request');
  if (body !== undefined) {
    codes.push('invalid_json', 'invalid_request', 'missing_field', 'invalid_type', 'too_many');
    codes.push('body_too_large', 'unsupported_media_type', 'request_timeout');
  }
  return codes;
}

/** The request-level codes of an operation by status: what its scope, parameters and body bring, and its own. */
export function requestErrors(operation: Operation): Map<number, ErrorCode[]> {
  const { scope, errors = [], path } = operation;
  const codes = new Set<ErrorCode>(errors);
  const add = (...more: ErrorCode[]): void => more.forEach((code) => codes.add(code));
  // Parameters: one that is not known, one that is given twice or has another value than those of its set.
  if (path.startsWith('/v1/')) add('unknown_field', 'invalid_value');
  add(...askedErrors(operation));
  if (scope !== null) add('unauthorized', 'forbidden_scope', 'rate_limited', 'store_unavailable');
  if (operation.answers[200]?.rows !== undefined) add('not_acceptable');
  add('internal');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
