import { isBot } from './bots.js';
import { deriveChannel, directChannel } from './channel.js';
import { cleanPageUrl, cleanReferrer, noUrl } from './clean-url.js';
import type { CleanUrl } from './clean-url.js';
import { readClickIds } from './click-ids.js';
import type { ClickId } from './click-ids.js';
import { drop } from './drop-reasons.js';
import type { Drop } from './drop-reasons.js';
import { eventTime } from './event-time.js';
import type { CollectEvent, Consent, EnrichContext, EventRow } from './event.js';
import { isPersonalValue } from './personal-values.js';
import { classifyReferrer } from './referrer.js';
import type { ReferrerClass } from './referrer.js';
import { noUtm, readUtm } from './utm.js';
import type { Utm } from './utm.js';

/** Either the row to store or why there is none. */
export type EnrichResult =
  { readonly row: EventRow; readonly drop?: never } | { readonly row?: never; readonly drop: Drop };

/** An event on its way through the steps, with what they have found so far. */
export interface Draft {
  readonly event: CollectEvent;
  readonly context: EnrichContext;
  readonly ts: number;
  readonly consent: Consent;
  readonly page: CleanUrl;
  readonly utm: Utm;
  readonly clickIds: readonly ClickId[];
  readonly referrer: CleanUrl;
  readonly referrerClass: ReferrerClass;
  readonly channel: string;
}

/** A step returns the draft with its finding added, or why the event is dropped. */
export type Step = (draft: Draft) => Draft | Drop;

/** In this order; the first drop ends the way. */
export const steps: readonly Step[] = [
  dropBot,
  requireConsent,
  refusePersonalIds,
  checkEmailHash,
  putTime,
  putPage,
  putUtm,
  putClickIds,
  putReferrer,
  putChannel,
];

/**
 * Turns one collect event into the row that is stored. Pure: the same event and context give the same result. It never
 * throws for an event that its schema allows. Every personal value is gone from the row; the caller must store and log
 * nothing of the event but the row (or the drop, which quotes no value).
 */
export function enrichEvent(event: CollectEvent, context: EnrichContext): EnrichResult {
  let draft: Draft = {
    event,
    context,
    ts: context.receivedAtMs,
    consent: 'analytics',
    page: noUrl,
    utm: noUtm,
    clickIds: [],
    referrer: noUrl,
    referrerClass: 'direct',
    channel: directChannel,
  };
  for (const step of steps) {
    const result = step(draft);
    if ('code' in result) return { drop: result };
    draft = result;
  }
  return { row: toRow(draft) };
}

function dropBot(draft: Draft): Draft | Drop {
  return isBot(draft.context.userAgent) ? drop('bot') : draft;
}

/** `identify` carries what links a visitor to a person, so it needs consent to marketing; so does `email_hash`. */
function requireConsent(draft: Draft): Draft | Drop {
  const { consent, type, email_hash: emailHash } = draft.event;
  if (consent === 'analytics+marketing') return { ...draft, consent };
  if (consent !== 'analytics') return drop('consent_required', 'consent');
  if (type !== 'identify' && emailHash === undefined) return draft;
  return drop('consent_required', 'consent', 'identify and email_hash need the consent "analytics+marketing".');
}

function refusePersonalIds(draft: Draft): Draft | Drop {
  for (const field of ['anon_id', 'session_hint', 'store_client_id', 'sdk'] as const) {
    const value = draft.event[field];
    if (value !== undefined && /[@%+＠﹫]/.test(value) && isPersonalValue(value)) return drop('pii_rejected', field);
  }
  return draft;
}

function checkEmailHash(draft: Draft): Draft | Drop {
  const { type, email_hash: emailHash } = draft.event;
  if (emailHash === undefined) return draft;
  if (type !== 'identify') {
    return drop('invalid_value', 'email_hash', 'email_hash belongs to identify events; remove it from this one.');
  }
  if (/^[0-9a-f]{64}$/i.test(emailHash)) return draft;
  return drop('invalid_value', 'email_hash', 'email_hash must be the 64 hex digits of a SHA-256 hash.');
}

function putTime(draft: Draft): Draft | Drop {
  const ts = eventTime(draft.event.ts, draft.context.receivedAtMs);
  return ts === null ? drop('invalid_timestamp', 'ts') : { ...draft, ts };
}

/**
 * An event without `url` is kept. One whose `url` is no http(s) URL is dropped, unless it carries what an order or a
 * person is joined by (`order_id`, `checkout_token`, `email_hash`): that is worth more than the page it happened on.
 */
function putPage(draft: Draft): Draft | Drop {
  const { url, order_id: orderId, checkout_token: checkoutToken, email_hash: emailHash } = draft.event;
  if (url === undefined || url === '') return draft;
  const page = cleanPageUrl(url);
  if (page !== null) return { ...draft, page };
  if (orderId !== undefined || checkoutToken !== undefined || emailHash !== undefined) return draft;
  return drop('invalid_value', 'url', 'url must be the full address of the page, beginning with https:// or http://.');
}

function putUtm(draft: Draft): Draft {
  return { ...draft, utm: readUtm(draft.page.parameters) };
}

function putClickIds(draft: Draft): Draft {
  return { ...draft, clickIds: readClickIds(draft.page.parameters) };
}

/** A referrer that is no URL counts as none and never drops the event. */
function putReferrer(draft: Draft): Draft {
  const referrer = cleanReferrer(draft.event.referrer ?? '');
  const referrerClass = classifyReferrer({
    host: referrer.host,
    isApp: referrer.url.startsWith('android-app:'),
    pageHost: draft.page.host,
    shopHost: (draft.context.shopDomain ?? '').toLowerCase(),
  });
  return { ...draft, referrer, referrerClass };
}

function putChannel(draft: Draft): Draft {
  const { clickIds, utm, referrerClass, referrer } = draft;
  return { ...draft, channel: deriveChannel({ clickIds, utm, referrerClass, referrerHost: referrer.host }) };
}

function toRow(draft: Draft): EventRow {
  const { event, page, utm, referrer } = draft;
  return {
    event_id: event.event_id,
    type: event.type,
    ts: draft.ts,
    received_at: draft.context.receivedAtMs,
    anon_id: event.anon_id,
    session_hint: event.session_hint ?? '',
    url: page.url,
    url_host: page.host,
    url_path: page.path,
    referrer: referrer.url,
    referrer_host: referrer.host,
    referrer_class: draft.referrerClass,
    utm_source: utm.source,
    utm_medium: utm.medium,
    utm_campaign: utm.campaign,
    utm_term: utm.term,
    utm_content: utm.content,
    utm_id: utm.id,
    click_ids: draft.clickIds,
    channel: draft.channel,
    consent: draft.consent,
    order_id: event.order_id ?? '',
    checkout_token: event.checkout_token ?? '',
    sdk: event.sdk ?? '',
    store_client_id: event.store_client_id ?? '',
    email_hash: event.email_hash?.toLowerCase() ?? '',
    product_id: event.product_id ?? '',
    sku: event.sku ?? '',
    quantity: event.quantity === undefined ? null : String(event.quantity),
  };
}
