import Type, { type Static } from 'typebox';
import { MAX_CHARACTERS } from '../errors.js';
import { batchOf } from './batch.js';
import { ItemErrors } from './errors.js';
import { closed, field, NullableText, optional, Quantity, Timestamp } from './primitives.js';

const EVENTS_PER_BATCH = 20;
export const COLLECT_BODY_BYTES = 64 * 1024;
/** `text/plain` spares the browser a preflight. */
export const COLLECT_TYPES = ['text/plain', 'application/json'] as const;

const TEXT = '^[^\\u0000-\\u001f\\u007f]*$';
const text = (description: string, maxLength: number = MAX_CHARACTERS, minLength = 0) =>
  Type.String({ minLength, maxLength, pattern: TEXT, description });

/** One item of `POST /v1/collect` (specification: "Collect event"). Events never carry money. */
export const CollectEvent = Type.Object(
  {
    event_id: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: '^[\\w.:-]*$',
      description: 'Natural key, UUID-like: 1-128 letters, digits and any of `_.:-`. The first event of an id stays.',
      examples: ['0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01'],
    }),
    type: Type.Enum(['page_view', 'product_view', 'add_to_cart', 'begin_checkout', 'purchase', 'identify'], {
      description: 'What the visitor did.',
    }),
    ts: Type.String({
      description: 'RFC 3339 with milliseconds, UTC: the visitor’s clock. At most 30 days old and a day ahead.',
      examples: ['2026-03-01T12:00:00.000Z'],
    }),
    anon_id: text('Anonymous visitor id.', MAX_CHARACTERS, 1),
    consent: Type.Enum(['analytics', 'analytics+marketing'], {
      'x-code': 'consent_required',
      description: 'What the visitor agreed to; without it no event may be sent.',
    }),
    session_hint: Type.Optional(text('What the page takes for a session. Absent: the server tells sessions by time.')),
    url: Type.Optional(
      Type.String({ description: 'Raw page URL, as it is; the server removes what is personal. Absent: not known.' }),
    ),
    referrer: Type.Optional(Type.String({ description: 'Raw referrer, as it is. Absent: none.' })),
    order_id: Type.Optional(text('Id of the order: a purchase needs this or `checkout_token`. Absent: none.')),
    checkout_token: Type.Optional(text('Token of the checkout that became the order. Absent: none.')),
    sdk: Type.Optional(text('Label of the client library and its version. Absent: not known.')),
    store_client_id: Type.Optional(text('Client id of the store platform; may be empty. Absent: not known.')),
    email_hash: Type.Optional(
      Type.String({
        description:
          'SHA-256 of the trimmed, lower-case email in 64 hex digits; with type `identify` and consent `analytics+marketing` only. Absent elsewhere.',
      }),
    ),
    product_id: Type.Optional(text('The product that it is about. Absent: none.')),
    sku: Type.Optional(text('The SKU that it is about. Absent: none.')),
    quantity: optional(Quantity, 'Units that it is about, a plain decimal string. Absent: not known.', {
      examples: ['1'],
    }),
  },
  closed,
);
export type CollectEvent = Static<typeof CollectEvent>;

/** Body of `POST /v1/collect`. */
export const CollectBatch = batchOf('events', CollectEvent, {
  most: EVENTS_PER_BATCH,
  maxBytes: COLLECT_BODY_BYTES,
  names: ['events', 'event'],
  others: {
    token: Type.Optional(
      Type.String({ description: 'The pixel token, where it is absent in the Authorization header.' }),
    ),
    sent_at: optional(
      Timestamp,
      'The page’s clock when it sent the batch. Where it differs by more than 5 seconds from ours, every `ts` is moved by the difference; a `ts` more than 48 hours before it is dropped. Absent: `ts` counts as it is.',
    ),
  },
});
export const { item: collectEventValidator } = CollectBatch;

const EventVerdict = Type.Object(
  {
    event_id: field(NullableText, 'As supplied; null when it was not a string.'),
    verdict: Type.Enum(['accepted', 'dropped'], { description: 'What became of the event.' }),
    errors: Type.Optional(ItemErrors),
  },
  closed,
);
export type EventVerdict = Static<typeof EventVerdict>;

/** Response of `POST /v1/collect?debug=1`; the results stand in the order of the request. */
export const CollectResult = Type.Object(
  { results: Type.Array(EventVerdict, { description: 'One verdict an event, in the order of the request.' }) },
  closed,
);
export type CollectResult = Static<typeof CollectResult>;
