/** What a code means, and what its receiver changes. */
interface CatalogueEntry {
  meaning: string;
  remedy: string;
}

const WHOLE_EXPORT = 'Export or send the whole order again.';
const CORRECT_THERE = 'Correct the order on the platform, or leave it out.';
/** Why the converter holds back an order of a platform (`format=`). */
const HOLDS = {
  sum_residual: {
    meaning: 'The parts of an order of a platform do not add up to its total.',
    remedy: 'Compare the amounts that the message names; send such an order as an item of this API.',
  },
  unbalanced: {
    meaning: 'What an order was sold for, less its refunds, is not what the platform says is left of it.',
    remedy: 'Compare the amounts that the message names; read the order again, or correct it on the platform.',
  },
  query_incomplete: {
    meaning: 'An answer lacks pages or fields of an order that were not asked for.',
    remedy: 'Use the query that the converter exports and follow all its pages; ask REST APIs for all fields.',
  },
  incomplete_source: { meaning: 'An order of a platform lacks a field.', remedy: WHOLE_EXPORT },
  refunds_missing: {
    meaning: 'An order was refunded, and its refunds are not with it.',
    remedy: 'Send `{ order, refunds }` with the answer of the platform for its refunds.',
  },
  refund_date_missing: {
    meaning: 'An export does not say when an order was refunded.',
    remedy: 'Take the order from the API of the platform.',
  },
  gift_card_sale: {
    meaning: 'Only a gift card was sold: it is owed and not earned.',
    remedy: 'Nothing; what is bought with it counts.',
  },
  draft: {
    meaning: 'An order is a draft that was never placed.',
    remedy: 'Nothing; it comes again once it is placed.',
  },
  unknown_status: {
    meaning: 'The platform gives an order a status that is not known.',
    remedy: 'Say what it means in `conversion.statuses` of the source.',
  },
  sub_order: {
    meaning: 'An order of a marketplace and its parent are the same sale.',
    remedy: 'Nothing while parents count; say `conversion.sub_orders` to count the sub-orders in their place.',
  },
  subscription: {
    meaning: 'An object is a subscription: its renewals are orders of their own.',
    remedy: 'Nothing; export the orders alone.',
  },
  no_lines: { meaning: 'An order of a platform has no lines.', remedy: CORRECT_THERE },
  all_lines_removed: { meaning: 'An edit removed all lines before they were paid.', remedy: CORRECT_THERE },
  bad_money: { meaning: 'An amount of a platform is not a decimal that can be taken.', remedy: WHOLE_EXPORT },
  bad_date: { meaning: 'A date of a platform is not one, or lies before the year 2000.', remedy: WHOLE_EXPORT },
  negative_total: { meaning: 'The total of an order of a platform is negative.', remedy: CORRECT_THERE },
  negative_quantity: { meaning: 'A quantity of an order of a platform is negative.', remedy: CORRECT_THERE },
  bulk_orphan: { meaning: 'A line of a bulk export belongs to no order before it.', remedy: 'Export again.' },
  other_currency: {
    meaning: 'An order of a platform is in another currency than the shop.',
    remedy: 'Send it in the currency of the shop.',
  },
  too_many_lines: {
    meaning: 'An order of a platform has more lines or refunds than are taken.',
    remedy: 'Send it in parts, each with an id of its own.',
  },
};

/** Answers to the pages of the app alone. */
const OF_APP = {
  sign_in_off: { meaning: 'No one can sign in.', remedy: 'Set `ADMIN_TOKEN` and start the service again.' },
  sign_in_refused: { meaning: 'What was sent lets nobody in.', remedy: 'Sign in again, or ask for a new link.' },
  signed_out: { meaning: 'There is no session, or it is over.', remedy: 'Sign in.' },
  role: { meaning: 'The role of the person may not do this.', remedy: 'Ask an owner.' },
  cross_site: { meaning: 'The request did not come from a page of this service.', remedy: 'Use the page.' },
  csrf_token: { meaning: 'The request lacks the token of its session.', remedy: 'Load the page again.' },
  too_many_tries: { meaning: 'There were too many tries.', remedy: 'Wait the seconds of `Retry-After`.' },
  invitation_over: { meaning: 'An invitation was used, or is over.', remedy: 'Ask for a new one.' },
  link_over: { meaning: 'A link has ended, or is not whole.', remedy: 'Ask for a new one.' },
};

const OF_API = {
  invalid_json: {
    meaning: 'The body is not JSON in UTF-8, or an object has the same key twice.',
    remedy: 'Send one valid JSON document with unique keys.',
  },
  invalid_request: {
    meaning: 'The request itself is broken: its gzip body, its end, or the percent-encoding of its path.',
    remedy: 'Send the request again, whole and encoded as its headers say.',
  },
  missing_field: { meaning: 'A required field is absent.', remedy: 'Add the field that `field` names.' },
  unknown_field: {
    meaning: 'The request holds a field or parameter that is not in the contract.',
    remedy: 'Remove it, or correct its spelling.',
  },
  invalid_type: { meaning: 'A field has the wrong JSON type.', remedy: 'Send the type that the message names.' },
  invalid_value: {
    meaning: 'A field or parameter has the right type and a value that is not allowed, or is longer than allowed.',
    remedy: 'Send a value within the bounds that the message names.',
  },
  batch_size: {
    meaning: 'The batch is empty or holds too many items.',
    remedy: 'Send a number of items within the limits.',
  },
  too_many: {
    meaning: 'A list, or what a shop has of one thing, is longer than the message allows.',
    remedy:
      'Send fewer entries; use the channels and payment gateways that the shop has already; remove expenses that have ended.',
  },
  invalid_range: {
    meaning: '`from` or `to` is no calendar day from 1970-01-01 to 2148-12-31, or `from` lies after `to`.',
    remedy: 'Send real days written YYYY-MM-DD, `from` not after `to`.',
  },
  range_too_long: {
    meaning: 'The range holds more than 366 days.',
    remedy: 'Ask for a shorter range, or for several.',
  },
  unauthorized: {
    meaning: 'The key is missing, unknown, revoked or expired.',
    remedy: 'Send `Authorization: Bearer <API_KEY>` with a live key.',
  },
  forbidden_scope: {
    meaning: 'The key is valid and may not do this.',
    remedy: 'Use the kind of key or the scope that the message names.',
  },
  not_found: {
    meaning: 'There is nothing at this address.',
    remedy: 'Check the path, or create the thing first.',
  },
  method_not_allowed: {
    meaning: 'The path exists and does not take this method.',
    remedy: 'Use a method of the `Allow` header.',
  },
  not_acceptable: {
    meaning: 'The answer does not come as a type that `Accept` names, or an amount of it does not fit into that type.',
    remedy: 'Name a type of the message in `Accept`.',
  },
  request_timeout: {
    meaning: 'The request did not arrive in time: its head within 10 s, all of it within 30 s.',
    remedy: 'Send the whole body without pauses; split a large batch.',
  },
  source_not_registered: {
    meaning: 'The shop has no currency and time zone yet.',
    remedy: 'Register the source first: `PUT /v1/source`.',
  },
  source_locked: {
    meaning: 'Currency and time zone are immutable after the first accepted order.',
    remedy: 'Send the registered values; platform and domain may change.',
  },
  body_too_large: {
    meaning: 'The body, inflated where it is compressed, is larger than the limit.',
    remedy: 'Split the batch.',
  },
  unsupported_media_type: {
    meaning: 'The `Content-Type` or `Content-Encoding` is not one that the request takes.',
    remedy: 'Send `application/json`, plain or with gzip.',
  },
  rate_limited: {
    meaning: 'Too many requests with this key, token or address.',
    remedy: 'Wait the seconds of `Retry-After`.',
  },
  internal: {
    meaning: 'Something broke on the side of the service.',
    remedy: 'Send the request again; if it persists, report the request id.',
  },
  store_unavailable: {
    meaning: 'The store that holds the answer is out of reach: it is unknown, not zero.',
    remedy: 'Wait the seconds of `Retry-After` and send the request again.',
  },
  queue_unavailable: {
    meaning: 'The durable queue is out of reach or full; nothing of the request was taken.',
    remedy: 'Wait the seconds of `Retry-After` and send the request again.',
  },
  not_fresh_yet: {
    meaning:
      'The push whose receipt `after` names is taken, and the figures of these days do not contain it and all earlier pushes yet.',
    remedy: 'Wait the seconds of `Retry-After` and ask again.',
  },
  invalid_timestamp: {
    meaning: 'A timestamp lacks its offset, does not exist or is out of range.',
    remedy: 'Send RFC 3339 with an explicit offset, such as `2026-03-01T09:30:00+01:00`.',
  },
  money_must_be_string: {
    meaning: 'A JSON number stands in a money position.',
    remedy: 'Send the amount as a string: `"12.50"`.',
  },
  invalid_money: {
    meaning: 'A money string is not a plain non-negative decimal of at most 15 integer and 6 fraction digits.',
    remedy: 'Send digits and one dot only: no sign, exponent, blank or thousands separator.',
  },
  invalid_quantity: {
    meaning: 'A quantity is not a plain non-negative decimal of at most 15 integer and 6 fraction digits.',
    remedy: 'Send digits and one dot only, as a string.',
  },
  sum_mismatch: {
    meaning: 'The parts of the order do not add up to its total; `computed` and `supplied` show both.',
    remedy: 'Correct the parts or the total; the identity holds exactly, without tolerance.',
  },
  pii_rejected: {
    meaning: '`customer.id`, or an id of an event, looks like an email address or a phone number.',
    remedy: 'Send an opaque id; hash contact details before sending.',
  },
  currency_mismatch: {
    meaning: 'The currency is not that of the registered source.',
    remedy: 'Send amounts in the currency of the source.',
  },
  duplicate_line_id: { meaning: 'Two lines of an order share a `line_id`.', remedy: 'Give every line its own id.' },
  duplicate_refund_id: {
    meaning: 'Two refunds of an order share a `refund_id`.',
    remedy: 'Give every refund its own id.',
  },
  unknown_line_id: {
    meaning: 'A refund names a line that the order does not have.',
    remedy: "Name a `line_id` of the order's own lines.",
  },
  line_count: { meaning: 'An order has no line or more than 500.', remedy: 'Send 1 to 500 lines.' },
  invalid_channel: {
    meaning: 'The channel has no letter or digit from which a name could be made.',
    remedy: 'Send a label with letters or digits.',
  },
  external_id_mismatch: {
    meaning: 'The `external_id` of the body is not that of the path.',
    remedy: 'Leave it out of the body, or send the same.',
  },
  consent_required: {
    meaning: 'An event came without consent and was dropped.',
    remedy: 'Send events only after consent, and say which.',
  },
  bot: {
    meaning: 'An event came from a robot, by its user agent, and was dropped.',
    remedy: 'Nothing: robots are not counted.',
  },
  ...HOLDS,
};

const ENTRIES = { ...OF_API, ...OF_APP };

/** A code of the API. */
export type ErrorCode = keyof typeof OF_API;
/** A code of the API or of a page of the app. */
export type AnyErrorCode = keyof typeof ENTRIES;

/** Every code that the service gives, in a request's `errors` or in an item's. */
export const ERROR_CATALOGUE: Readonly<Record<AnyErrorCode, CatalogueEntry>> = ENTRIES;
/** Those of the API, in the order of the contract. */
export const ERROR_CODES = Object.keys(OF_API) as ErrorCode[];
export const HOLD_CODES = Object.keys(HOLDS) as (keyof typeof HOLDS)[];
