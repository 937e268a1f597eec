import Type, { type Static } from 'typebox';
import { PUSH_KINDS } from '../domain/ingest.js';
import { closed, field, Next, Receipt } from './primitives.js';
import { validator } from './validator.js';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const DaysLeft = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  description:
    'With `receipt`: days whose figures do not contain the push and all earlier ones yet; null while one of them is queued. Else absent.',
});

export const Push = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When it was taken, UTC.' }),
    kind: Type.Enum([...PUSH_KINDS], { description: 'What was pushed.' }),
    key_last4: Type.String({ description: 'Last four characters of the key that sent it.' }),
    accepted: count('Items that were accepted.'),
    rejected: count('Items that were rejected.'),
    superseded: count('Items that were older than what was stored.'),
    receipt: field(Receipt, 'Names the push.'),
    request_id: Type.String({ description: '`X-Request-Id` of the push.' }),
    ms: count('Milliseconds from its arrival until its items were checked and handed to the queue.'),
    days_left: Type.Optional(DaysLeft),
  },
  { ...closed, title: 'Push' },
);
export type Push = Static<typeof Push>;

/** Response of `GET /v1/ingest/pushes`. */
export const PushesResponse = Type.Object(
  {
    pushes: Type.Array(Push, { description: 'Newest first.' }),
    days_left: Type.Optional(DaysLeft),
    next: Next,
  },
  closed,
);
export type PushesResponse = Static<typeof PushesResponse>;

/** Where a page of pushes ended. */
const Place = Type.Object(
  {
    at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    batchId: Type.String({ maxLength: 100 }),
  },
  closed,
);
export type PushPlace = Static<typeof Place>;
export const pushPlaceValidator = validator(Place, 'cursor');
