import { trimBlanks } from '../blanks.js';
import { isBot } from './bots.js';
import { echo } from '../../errors.js';
import { drop, dropMessages, type Drop } from './drop-reasons.js';
import { eventTime } from './event-time.js';
import type { CollectEvent, Consent, EnrichContext, EventRow } from './event.js';
import { holdsContact } from '../personal/values.js';
import { readVisit, type Visit } from './visit.js';

/** Either the row to store or why there is none. */
export type EnrichResult =
  { readonly row: EventRow; readonly drop?: never } | { readonly row?: never; readonly drop: Drop };

/** An event and what the steps have found so far. */
export interface Draft {
  readonly event: CollectEvent;
  readonly context: EnrichContext;
  ts: number;
  consent: Consent;
  visit: Visit | null;
}

/** A step adds its finding to the draft, or returns why the event is dropped. */
export type Step = (draft: Draft) => Drop | null;

/** In this order; the first drop ends the chain. */
const steps: readonly Step[] = [
  dropBot,
  requireConsent,
  requireOrder,
  refusePersonalIds,
  checkEmailHash,
  putTime,
  putVisit,
];

/**
 * Turns one collect event into the row that is stored. The same event and context give the same result. It never
 * throws for an event that its schema allows. Every personal value is gone from the row; the caller must store and log
 * nothing of the event but the row (or the drop, which quotes no value).
 */
export function enrichEvent(event: CollectEvent, context: EnrichContext): EnrichResult {
  const draft: Draft = { event, context, ts: context.receivedAtMs, consent: 'analytics', visit: null };
  for (const step of steps) {
    const dropped = step(draft);
    if (dropped !== null) return { drop: dropped };
  }
  return { row: toRow(draft) };
}

function dropBot({ context }: Draft): Drop | null {
  return isBot(context.userAgent) ? drop('bot') : null;
}

/** `identify` carries what links a visitor to a person, so it needs consent to marketing; so does `email_hash`. */
function requireConsent(draft: Draft): Drop | null {
  const { consent, type, email_hash: emailHash } = draft.event;
  if (consent !== 'analytics' && consent !== 'analytics+marketing') return drop('consent_required', 'consent');
  draft.consent = consent;
  if (consent === 'analytics+marketing' || (type !== 'identify' && emailHash === undefined)) return null;
  return drop('consent_required', 'consent', 'identify and email_hash need the consent "analytics+marketing".');
}

/** A purchase must name the order that it is joined to. */
function requireOrder({ event }: Draft): Drop | null {
  if (event.type !== 'purchase' || isGiven(event.order_id) || isGiven(event.checkout_token)) return null;
  return drop('missing_field', 'order_id', 'A purchase needs order_id or checkout_token.');
}

function refusePersonalIds({ event }: Draft): Drop | null {
  // Field by field, because a look-up by name costs more than the check of the text.
  if (isPersonalId(event.event_id)) return drop('pii_rejected', 'event_id');
  if (isPersonalId(event.anon_id)) return drop('pii_rejected', 'anon_id');
  if (isPersonalId(event.session_hint)) return drop('pii_rejected', 'session_hint');
  if (isPersonalId(event.order_id)) return drop('pii_rejected', 'order_id');
  if (isPersonalId(event.checkout_token)) return drop('pii_rejected', 'checkout_token');
  if (isPersonalId(event.store_client_id)) return drop('pii_rejected', 'store_client_id');
  if (isPersonalId(event.sdk)) return drop('pii_rejected', 'sdk');
  if (isPersonalId(event.product_id)) return drop('pii_rejected', 'product_id');
  if (isPersonalId(event.sku)) return drop('pii_rejected', 'sku');
  return null;
}

/** A bare run of digits is an id of the platform. */
const BARE_DIGITS = /^\d*$/;

function isPersonalId(value: string | undefined): boolean {
  return value !== undefined && !BARE_DIGITS.test(value) && holdsContact(value);
}

function checkEmailHash({ event }: Draft): Drop | null {
  const { type, email_hash: emailHash } = event;
  if (emailHash === undefined) return null;
  if (type !== 'identify') {
    return drop('invalid_value', 'email_hash', 'email_hash belongs to identify events; remove it from this one.');
  }
  if (/^[0-9a-f]{64}$/i.test(emailHash)) return null;
  return drop('invalid_value', 'email_hash', 'email_hash must be the 64 hex digits of a SHA-256 hash.');
}

function putTime(draft: Draft): Drop | null {
  const ts = eventTime(draft.event.ts, draft.context.receivedAtMs, draft.context.sentAtMs);
  if (ts === null)
    return drop(
      'invalid_timestamp',
      'ts',
      `${dropMessages.invalid_timestamp.slice(0, -1)}; it is "${echo(draft.event.ts)}".`,
    );
  draft.ts = ts;
  return null;
}

/**
 * An event without `url` is kept. One whose `url` is no http(s) URL is dropped, unless it carries what an order or a
 * person is joined by (`order_id`, `checkout_token`, `email_hash`): that is worth more than the page it happened on.
 */
function putVisit(draft: Draft): Drop | null {
  const { event, context } = draft;
  const { shopDomain = '', ownHosts = '' } = context;
  const place = { url: event.url ?? '', referrer: event.referrer ?? '', shopDomain, ownHosts };
  const isJoined = isGiven(event.order_id) || isGiven(event.checkout_token) || event.email_hash !== undefined;
  draft.visit = readVisit(place);
  if (draft.visit === null && isJoined) draft.visit = readVisit({ ...place, url: '' });
  if (draft.visit !== null) return null;
  return drop('invalid_value', 'url', 'url must be the full address of the page, beginning with https:// or http://.');
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

function toRow({ event, context, ts, consent, visit }: Draft): EventRow {
  if (visit === null) throw new Error('the steps leave no event without a visit');
  return {
    event_id: event.event_id,
    type: event.type,
    ts,
    received_at: context.receivedAtMs,
    anon_id: event.anon_id,
    session_hint: event.session_hint ?? '',
    consent,
    order_id: event.order_id ?? '',
    checkout_token: event.checkout_token ?? '',
    sdk: event.sdk ?? '',
    store_client_id: event.store_client_id ?? '',
    email_hash: event.email_hash?.toLowerCase() ?? '',
    product_id: event.product_id ?? '',
    sku: trimBlanks(event.sku ?? ''),
    quantity: event.quantity ?? null,
    visit,
  };
}
