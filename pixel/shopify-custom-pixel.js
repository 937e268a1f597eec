// A custom pixel for Shopify (Settings, Customer events). Put in the token and the address of the service.
const TOKEN = 'pt_svc_…';
const ENDPOINT = 'https://pixel.example.com/v1/collect';

// Shopify runs this in a sandbox: `analytics`, `browser`, `customerPrivacy` and `init` are what it gives.
const TYPES = {
  page_viewed: 'page_view',
  product_viewed: 'product_view',
  product_added_to_cart: 'add_to_cart',
  checkout_started: 'begin_checkout',
  checkout_completed: 'purchase',
};
const IDLE_MS = 30 * 60_000;
const KEEP_MS = 395 * 864e5;
const RETRY_MS = 4000;
const MAX_RETRY_MS = 600_000;
/** Key of what could not be sent: with consent it waits for the next page, for a day at most. */
const QUEUE_KEY = 'profit_shopify_queue';
const QUEUE_MS = 864e5;
const MAX_KEPT = 100;

let consent = consentOf(init.customerPrivacy);
/** What happened before there was consent, without any id. */
let held = [];
/** One after the other, so that two events never make two visitors. */
let work = Promise.resolve();
let wait = RETRY_MS;
let timer;
/** Whether what an earlier page could not send is read, and whether any is kept. */
let isRead = false;
let isKept = false;

function consentOf({ analyticsProcessingAllowed, marketingAllowed, saleOfDataAllowed }) {
  if (!analyticsProcessingAllowed) return null;
  return marketingAllowed && saleOfDataAllowed !== false ? 'analytics+marketing' : 'analytics';
}

/** The visitor's identifiers, kept under the same key and in the same form as those of the script. */
async function currentVisitor() {
  const now = Date.now();
  let kept = {};
  try {
    kept = JSON.parse(await browser.localStorage.getItem('profit_id')) ?? {};
  } catch {
    // Nothing there that could be read.
  }
  if (!(now - kept.at < KEEP_MS)) kept = { at: now };
  const ids = kept.ids ?? { anon_id: crypto.randomUUID() };
  if (!(now - kept.seen < IDLE_MS)) ids.session_hint = crypto.randomUUID();
  await browser.localStorage.setItem('profit_id', JSON.stringify({ ...kept, ids, seen: now }));
  return ids;
}

function eventOf({ name, timestamp, context, data }) {
  const { location, referrer } = context.document;
  const variant = data?.productVariant ?? data?.cartLine?.merchandise;
  const order = data?.checkout?.order?.id;
  return {
    event_id: crypto.randomUUID(),
    type: TYPES[name],
    ts: timestamp,
    url: location.href,
    referrer,
    product_id: variant?.product?.id,
    sku: variant?.sku || undefined,
    checkout_token: data?.checkout?.token || undefined,
    // Some versions of the API give `gid://shopify/Order/1`.
    order_id: order ? String(order).split('/').pop() : undefined,
  };
}

/** A list that a refusal has exchanged meanwhile is sent no more. */
async function readKept(list) {
  if (isRead) return;
  isRead = true;
  const kept = JSON.parse(await browser.localStorage.getItem(QUEUE_KEY)) ?? [];
  list.unshift(...kept.filter(({ ts }) => Date.now() - Date.parse(ts) < QUEUE_MS));
  isKept = kept.length > 0;
}

/** Keeps what waits for the next page; without consent nothing. */
async function keep() {
  isKept = consent !== null && held.length > 0;
  if (isKept) await browser.localStorage.setItem(QUEUE_KEY, JSON.stringify(held.slice(0, MAX_KEPT)));
  else await browser.localStorage.removeItem(QUEUE_KEY);
}

async function send() {
  if (!consent) return;
  await readKept(held).catch(() => undefined);
  if (held.length === 0) return;
  const ids = await currentVisitor();
  const from = held;
  const taken = from.splice(0, 20);
  // Refused since.
  if (taken.length === 0) return;
  const events = taken.map((event) => ({ ...event, ...ids, consent, sdk: 'profit-shopify/1' }));
  const body = JSON.stringify({ token: TOKEN, sent_at: new Date().toISOString(), events });
  const options = { method: 'POST', body, keepalive: true, credentials: 'omit' };
  const status = await fetch(ENDPOINT, options).then(
    (answer) => answer.status,
    () => 500,
  );
  if (!/408|429|5../.test(status)) {
    wait = RETRY_MS;
    if (isKept) later(keep);
    later(send);
    return;
  }
  // Under the same ids, so that what arrived after all counts once; a refusal meanwhile has begun another list.
  if (from !== held) return;
  from.unshift(...taken);
  timer ??= setTimeout(() => {
    timer = undefined;
    later(send);
  }, wait);
  later(keep);
  wait = Math.min(wait * 4, MAX_RETRY_MS);
}

function later(task) {
  work = work.then(task).catch(() => undefined);
}

for (const name of Object.keys(TYPES)) {
  analytics.subscribe(name, (event) => {
    if (held.length < (consent ? MAX_KEPT : 20)) held.push(eventOf(event));
    later(send);
  });
}

customerPrivacy.subscribe('visitorConsentCollected', (event) => {
  consent = consentOf(event.customerPrivacy);
  if (consent) {
    later(send);
    return;
  }
  held = [];
  later(() => browser.localStorage.removeItem('profit_id'));
  later(keep);
});
