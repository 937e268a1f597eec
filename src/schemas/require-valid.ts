import { RequestError } from '../errors.js';
import type { Validator } from './validator.js';

/** The value itself when it is valid; else throws all its faults at once. */
export function requireValid<T>({ check, is }: Pick<Validator<T>, 'check' | 'is'>, value: unknown): T {
  if (is(value)) return value;
  const [first, ...rest] = check(value);
  throw new RequestError(
    first === undefined ? [{ code: 'invalid_request', message: 'The body is not valid.' }] : [first, ...rest],
  );
}
