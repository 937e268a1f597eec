import Type, { type Static } from 'typebox';
import { ERROR_CODES } from '../errors.js';
import { closed } from './primitives.js';

/** One fault; see `ErrorDetail`. */
export const ErrorItem = Type.Object(
  {
    code: Type.Enum(ERROR_CODES as [string, ...string[]]),
    message: Type.String(),
    field: Type.Optional(Type.String()),
    computed: Type.Optional(Type.String()),
    supplied: Type.Optional(Type.String()),
  },
  { ...closed, title: 'Error' },
);

/** Body of every request-level failure. */
export const ErrorBody = Type.Object(
  { errors: Type.Array(ErrorItem, { minItems: 1 }), request_id: Type.String() },
  { ...closed, title: 'ErrorBody' },
);
export type ErrorBody = Static<typeof ErrorBody>;
