import { createConsent, Level } from './consent.js';
import { guard } from './guard.js';
import { hex, uuid } from './hex.js';
import { watchNavigation } from './navigation.js';
import { cookie, debug, earlierLanding, landingOf } from './page.js';
import { CONSENT_KEY, ID_KEY, keep, QUEUE_KEY, recall, shareAcross } from './storage.js';
import { createTrack } from './track.js';
import { createPost, type Item, MAX_EVENTS, takeBatch } from './transport.js';
import type { ConsentFlags, Draft, Pixel, PixelOptions } from './types.js';
import { currentVisitor } from './visitor.js';

declare const PIXEL_VERSION: string;

const POLL_MS = 500;
const POLL_FOR_MS = 60_000;
const BATCH_MS = 1000;
const RETRY_MS = 4000;
/** The longest wait between two tries. */
const MAX_RETRY_MS = 600_000;
/** What the collector did not take within a day is given up. */
const KEEP_MS = 864e5;
/** Most events that wait while the server is away, and of these on the next page; no visitor makes as many. */
const MAX_WAITING = 200;
const MAX_KEPT = 100;

/** Events of consent tools, and the end of prerendering. */
const CHANGES = [
  'CookiebotOnAccept',
  'CookiebotOnDecline',
  'OneTrustGroupsUpdated',
  'wp_listen_for_consent_change',
  'prerenderingchange',
];

/**
 * Starts a pixel on this page: its own page views, and the four calls.
 *
 * Consent is read afresh whenever something happens, never assumed. Until the visitor or a rule allows analytics, what
 * happens is held in the page's memory, without any id; a refusal drops it, and so does the end of the page.
 */
function startPixel(options: PixelOptions): Pixel {
  const post = createPost(options);
  // In a frame of a page of the same site the visit is that page's.
  const manual = options.pageViews === 'manual' || !!frameElement;
  let level = Level.Undecided;
  let said: Level | undefined;
  /** What is held or to be sent. Another array after each withdrawal, so nothing that was under way then comes back. */
  let queue: Item[] = [];
  let timer: number | undefined;
  /** Nothing is sent before, in the page's own time, unless the page is left: the server asked for quiet. */
  let resume = 0;
  let referrer = document.referrer;
  /** Whether the present page view is sent or queued. */
  let reported = manual;
  /** Whether there was consent on this page, and what an earlier one left is read. */
  let began: boolean | undefined;
  /** Another tab deleted the identifiers: this page must not make new ones. */
  let stopped = false;

  /** What was tried and not taken outlives the page. */
  const save = (): void => {
    const items = queue.filter(([, tries]) => tries).slice(-MAX_KEPT);
    keep(QUEUE_KEY, items[0] && { items });
  };

  const isRecent = ([event]: Item): boolean => Date.now() - Date.parse(event.ts) < KEEP_MS;

  const add = (type: Draft['type'], fields?: Partial<Draft>): void => {
    debug(level > Level.Undecided ? 'queued' : 'held', type, fields);
    if (queue.length < (level > Level.Undecided ? MAX_WAITING : MAX_EVENTS))
      queue.push([{ type, ts: new Date().toISOString(), url: location.href, referrer, ...fields }, 0]);
  };

  /** The first view is of the page that was asked for, whatever the shop's scripts have made of its address since. */
  let landing = manual ? undefined : landingOf();
  const addView = (): void => {
    const asked = landing;
    landing = undefined;
    if (asked) {
      add('page_view', { url: asked });
      referrer = asked;
      if (new URL(asked).pathname === location.pathname) return;
    }
    add('page_view');
  };

  const arm = (delay: number): void => {
    timer ??= setTimeout(flush, Math.max(delay, resume - performance.now()));
  };

  const refresh = guard(() => {
    // A prerendered page has no visitor yet.
    if ((document as { prerendering?: boolean }).prerendering) return;
    const before = level;
    level = stopped ? Level.Refused : readConsent(said, before);
    // Only when it happens: by the next time, another tab may have a new visitor.
    if (level < Level.Analytics && level < before) {
      queue = [];
      reported = manual;
      keep(ID_KEY);
      keep(QUEUE_KEY);
    }
    if (level > Level.Refused && !reported) {
      reported = true;
      addView();
    }
    if (level > Level.Undecided && !began) {
      began = true;
      const items = ((recall(QUEUE_KEY).items ?? []) as Item[]).filter(isRecent);
      // Consent on a later page than the first: what was before it is not known here, but where the visit began may be.
      const url = !manual && !recall(ID_KEY).ids && earlierLanding();
      if (url && queue.every(([event]) => event.url !== url))
        items.push([{ type: 'page_view', ts: new Date(performance.timeOrigin).toISOString(), url, referrer: '' }, 0]);
      queue.unshift(...items);
    }
    if (level > Level.Undecided && queue.length) {
      for (const [event] of queue) {
        if (event.event_id) continue;
        Object.assign(event, currentVisitor(), {
          event_id: uuid(),
          consent: level > Level.Analytics ? 'analytics+marketing' : 'analytics',
          sdk: `profit-pixel/${PIXEL_VERSION}`,
          store_client_id: options.storeClientId ?? cookie('_shopify_y'),
        });
      }
      arm(BATCH_MS);
    }
  });

  const flush = guard((leaving?: boolean) => {
    refresh();
    clearTimeout(timer);
    timer = undefined;
    if (!leaving && performance.now() < resume) {
      arm(0);
      return;
    }
    const origin = queue;
    while (level > Level.Undecided && origin.length) {
      const batch = takeBatch(origin).filter(permit);
      const [first] = batch;
      if (!first) continue;
      const more = origin.length;
      void post(batch)
        .catch(() => NaN)
        .then(
          guard((wait) => {
            debug(wait === undefined ? 'sent' : 'retry', batch);
            if (wait === undefined) {
              if (queue === origin) save();
              if (more) flush();
              return;
            }
            for (const item of batch) item[1]++;
            origin.unshift(...batch.filter(isRecent));
            if (queue === origin) save();
            // Four seconds, then sixteen: a server that is being replaced is back by then.
            resume = performance.now() + (wait || Math.min(RETRY_MS * first[1] ** 2, MAX_RETRY_MS));
            arm(0);
          }),
        );
      // One after the other, because browsers allow only 64 KiB at once to requests that outlive their page.
      if (!leaving) break;
    }
  });

  /** Whether an event may go now; marketing that was withdrawn since is taken out of it. */
  const permit = ([event]: Item): boolean => {
    if (level > Level.Analytics) return true;
    event.consent = 'analytics';
    return event.type !== 'identify';
  };

  const emit = (type: Draft['type'], fields: Partial<Draft>): void => {
    refresh();
    if (level > Level.Refused) add(type, fields);
    else debug('dropped', type);
    (queue.length < MAX_EVENTS ? refresh : flush)();
  };

  const track = guard(createTrack(emit));

  /** Takes the choice of the visitor; `undefined` forgets it, because another page may have changed it since. */
  const say = guard((flags?: Partial<ConsentFlags>, stop?: boolean) => {
    said =
      flags &&
      (flags.analytics !== true ? Level.Refused : flags.marketing === true ? Level.Marketing : Level.Analytics);
    stopped = !!stop;
    refresh();
  });

  const viewed = (before: string): void => {
    referrer = before;
    reported = manual;
    refresh();
  };

  shareAcross(options.cookieDomain);

  const readConsent = createConsent(options, refresh);

  watchNavigation(viewed);
  // In the capture phase, since those of the document do not bubble.
  for (const name of CHANGES) addEventListener(name, refresh, true);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) flush(true);
  });
  addEventListener('pagehide', () => flush(true));
  addEventListener('pageshow', ({ persisted }) => {
    // Back from the back-forward cache: a view like any other, and consent may have changed on another page.
    if (!persisted) return;
    reported = manual;
    say();
  });
  addEventListener('storage', ({ key, newValue }) => {
    if (key === CONSENT_KEY) say();
    else if (!newValue && (!key || key === ID_KEY)) say(undefined, true);
  });
  setTimeout(clearInterval, POLL_FOR_MS, setInterval(refresh, POLL_MS));

  say(options.consent);

  return {
    consent: (flags: Partial<ConsentFlags> | null) => say(flags ?? {}),
    track,
    purchase: (order) => track('purchase', order),
    identify: guard(async (email) => {
      refresh();
      const visit = queue;
      if (level < Level.Marketing || !email.includes('@')) return;
      const address = new TextEncoder().encode(email.trim().toLowerCase());
      // Fails on pages that are not a secure context: the browser offers no digest there.
      const email_hash = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', address)));
      refresh();
      if (level > Level.Analytics && visit === queue) emit('identify', { email_hash });
    }),
  };
}

/** The pixel of a token on this page, started if none runs yet. */
export function pixelOf(options: PixelOptions): Pixel {
  const page = window as { profitPixels?: Record<string, Pixel> };
  return ((page.profitPixels ??= {})[options.token] ??= startPixel(options));
}
