import { STATUS_CODES } from 'node:http';
import type { RequestError } from '../../errors.js';
import type { ErrorBody, Problem } from '../../schemas/errors.js';

export const PROBLEM_TYPE = 'application/problem+json';

/** Whether an `Accept` header names the type of RFC 9457 and does not prefer plain JSON. */
export function wantsProblem(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const problem = qualityOf(accept, PROBLEM_TYPE);
  return problem > 0 && problem >= qualityOf(accept, 'application/json');
}

/** 0 where the type is not named; wildcards name none. */
function qualityOf(accept: string, type: string): number {
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}

/** A failure in the form of RFC 9457; the codes stay in `errors`, so that the type is the status alone. */
export function toProblem({ status, errors: [first] }: RequestError, body: ErrorBody): Problem {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: first.message, ...body };
}
