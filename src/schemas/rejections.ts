import Type, { type Static } from 'typebox';
import { INGEST_KINDS } from '../domain/ingest.js';
import { ItemErrors } from './errors.js';
import { closed, field, Next, NullableText } from './primitives.js';
import { validator } from './validator.js';

export const Rejection = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the push arrived, UTC.' }),
    kind: Type.Enum([...INGEST_KINDS], { description: 'What was pushed.' }),
    id: field(
      NullableText,
      'Of an order its `order_id`, of a cost its `sku`, of ad spend the stored `channel`, of an expense its `external_id`; `[removed]` where it held personal data, null when it was not a string.',
    ),
    errors: field(
      ItemErrors,
      'Its faults, at most 50, each with the sentence of its code: what was sent is not repeated, and an unknown field not named.',
    ),
    payload: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        description:
          'What was sent: the known fields without `customer`, at most 16 KB. A text that holds an e-mail address, a phone, card or bank account number is `[removed]`. Absent where the item was no object.',
      }),
    ),
    cut: Type.Optional(
      Type.Boolean({ description: 'True: the payload or the errors are not whole. Absent: they are.' }),
    ),
    key_last4: Type.String({ description: 'Last four characters of the key that sent it.' }),
    request_id: Type.String({ description: '`X-Request-Id` of the push.' }),
  },
  { ...closed, title: 'Rejection' },
);
export type Rejection = Static<typeof Rejection>;

/** Response of `GET /v1/ingest/rejections`. */
export const RejectionsResponse = Type.Object(
  {
    rejections: Type.Array(Rejection, { description: 'Newest push first; within a push in its order.' }),
    next: Next,
  },
  closed,
);
export type RejectionsResponse = Static<typeof RejectionsResponse>;

/** What a cursor of the list holds. */
const Place = Type.Object(
  {
    at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    batchId: Type.String({ maxLength: 100 }),
    position: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
  },
  closed,
);
export const rejectionPlaceValidator = validator(Place, 'cursor');
