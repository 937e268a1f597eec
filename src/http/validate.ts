import type { Request } from 'express';
import { RequestError, type ErrorDetail } from '../errors.js';
import type { Validator } from '../schemas/validator.js';

/** The value itself when it is valid; else throws all its faults at once. */
export function requireValid<T>({ check, is }: Validator<T>, value: unknown): T {
  const errors = check(value);
  if (is(value)) return value;
  const [first, ...rest] = errors;
  throw new RequestError(
    first === undefined ? [{ code: 'invalid_request', message: 'The body is not valid.' }] : [first, ...rest],
  );
}

/** The query parameters of a request by name. Throws for a parameter that the route does not know, or one sent twice. */
export function queryOf<Name extends string>(req: Request, names: readonly Name[]): Partial<Record<Name, string>> {
  const errors: ErrorDetail[] = [];
  const values: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(req.query)) {
    const known = names.find((candidate) => candidate === name);
    if (known === undefined) {
      errors.push({
        code: 'unknown_field',
        message: `${name} is not a parameter of this request; remove it.`,
        field: name,
      });
    } else if (typeof value !== 'string') {
      errors.push({ code: 'invalid_value', message: `${name} must be given once.`, field: name });
    } else values[known] = value;
  }
  const [first, ...rest] = errors;
  if (first !== undefined) throw new RequestError([first, ...rest]);
  return values;
}

/** A query parameter that is on with `1` or `true`. */
export function flag(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
