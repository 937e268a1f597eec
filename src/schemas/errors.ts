import Type, { type Static } from 'typebox';
import { ERROR_CODES } from '../error-catalogue.js';
import type { ErrorDetail } from '../errors.js';
import { closed } from './primitives.js';

const Code = Type.Enum(ERROR_CODES, {
  description: 'What is wrong, in a word that never changes its meaning.',
});

/** One fault; see `ErrorDetail`. */
const ErrorItem = Type.Object(
  {
    code: Code,
    message: Type.String({ description: 'A sentence that says what to change.' }),
    field: Type.Optional(
      Type.String({
        description:
          'Path of the field or name of the parameter, such as `line_items[0].unit_price`; relative to the item in the result of an item. Absent where none is to blame.',
      }),
    ),
    computed: Type.Optional(
      Type.String({
        description:
          'With `sum_mismatch`, `sum_residual` and `unbalanced`: what the parts give, an exact decimal. Else absent.',
      }),
    ),
    supplied: Type.Optional(Type.String({ description: 'With the same codes: the sum as it was sent. Else absent.' })),
    days_left: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        description:
          'With `not_fresh_yet`: days of the answer that are still to be computed; null while the push is queued. Else absent.',
      }),
    ),
  },
  { ...closed, title: 'Error' },
);

/** The faults of an item in its result. */
export const ItemErrors = Type.Unsafe<readonly ErrorDetail[]>(
  Type.Array(ErrorItem, { description: 'All faults of a rejected item; absent on others.' }),
);

const failure = {
  errors: Type.Array(ErrorItem, { minItems: 1, description: 'All faults of the request.' }),
  request_id: Type.String({ description: 'Names the request in logs, as the header `X-Request-Id` does.' }),
};

/** Body of every request-level failure. */
export const ErrorBody = Type.Object(failure, { ...closed, title: 'ErrorBody' });
export type ErrorBody = Static<typeof ErrorBody>;

/** The same where the client asked for `application/problem+json`. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Always `about:blank`: the status says the kind, and `errors` the codes.' }),
    title: Type.String({ description: 'The status in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'Message of the first fault.' }),
    ...failure,
  },
  { ...closed, title: 'Problem', description: 'RFC 9457.' },
);
export type Problem = Static<typeof Problem>;
