import { createConsent, type ConsentState } from './consent.js';
import { guard } from './guard.js';
import { uuid } from './hex.js';
import { hashEmail } from './identify.js';
import { watchNavigation } from './navigation.js';
import { placeOf } from './region.js';
import { CONSENT_KEY, createStore, ID_KEY } from './storage.js';
import { eventFields } from './track.js';
import { createTransport } from './transport.js';
import type { CollectEvent, ConsentFlags, Draft, EventProps, Pixel, PixelOptions, TrackType } from './types.js';
import { currentVisitor } from './visitor.js';

declare const PIXEL_VERSION: string;

const POLL_MS = 500;
const POLLS = 120;
const MAX_HELD = 20;
const NOTHING: ConsentState = { analytics: false, marketing: false, refused: false };

/**
 * Starts a pixel on this page: its own page views, and the four calls.
 *
 * Consent is read afresh whenever something happens, never assumed. Until the visitor or a rule allows analytics, what
 * happens is held in the page's memory, without any id; a refusal drops it, and so does the end of the page.
 */
export function startPixel({ token, endpoint, region, pageViews, storeClientId, ...start }: PixelOptions): Pixel {
  const store = createStore();
  const manual = pageViews === 'manual';
  let state = NOTHING;
  let held: Draft[] = [];
  /** Whether the present page view is sent, queued or held. */
  let reported = manual;
  /** Another tab deleted the identifiers: this page must not make new ones. */
  let stopped = false;
  let busy = false;
  let visit = 0;

  const draft = (type: Draft['type'], fields?: Partial<Draft>): Draft => ({
    type,
    ts: new Date().toISOString(),
    url: location.href,
    referrer: navigation.referrer(),
    ...fields,
  });

  const seal = (item: Draft): CollectEvent => {
    const client = storeClientId ?? shopifyClientId();
    return {
      event_id: uuid(),
      ...item,
      ...currentVisitor(store),
      consent: state.marketing ? 'analytics+marketing' : 'analytics',
      sdk: `profit-pixel/${PIXEL_VERSION}`,
      ...(client && { store_client_id: client }),
    };
  };

  const refresh = guard(() => {
    // A prerendered page has no visitor yet; a consent tool may answer while it is being asked.
    if (busy || (document as { prerendering?: boolean }).prerendering) return;
    const before = state;
    busy = true;
    // Should reading fail, nothing is allowed from here on.
    state = NOTHING;
    state = stopped ? { ...NOTHING, refused: true } : consent.read(before.analytics);
    busy = false;
    if (state.analytics) {
      for (const item of held.splice(0)) transport.add(seal(item));
      if (!reported) view();
    } else if (before.analytics || (state.refused && !before.refused)) {
      visit++;
      held = [];
      reported = manual;
      transport.clear();
      store.remove(ID_KEY);
    }
  });

  const emit = (item: Draft): void => {
    if (state.analytics) transport.add(seal(item));
    else if (!state.refused && held.length < MAX_HELD) held.push(item);
  };

  const view = (): void => {
    reported = true;
    emit(draft('page_view'));
  };

  const viewed = guard(() => {
    reported = manual;
    refresh();
    if (!reported && !state.refused) view();
  });

  const track = guard((type: TrackType, props?: EventProps) => {
    const fields = eventFields(type, props);
    refresh();
    if (fields) emit(draft(type, fields));
  });

  /** Hears what the visitor chose; `undefined` forgets it. */
  const say = guard((flags?: Partial<ConsentFlags>, stop?: boolean) => {
    stopped = stop === true;
    consent.say(flags);
    refresh();
  });

  const consent = createConsent(store, placeOf(region), refresh);
  const navigation = watchNavigation(viewed);
  const transport = createTransport(endpoint, token, refresh, (event) => {
    if (!state.marketing) event.consent = 'analytics';
    return state.analytics && (state.marketing || event.type !== 'identify');
  });

  document.addEventListener('prerenderingchange', refresh);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) transport.flush(true);
  });
  addEventListener('pagehide', () => transport.flush(true));
  addEventListener('pageshow', ({ persisted }) => {
    // Back from the back-forward cache: a view like any other, and consent may have changed on another page.
    if (!persisted) return;
    say();
    viewed();
  });
  addEventListener('storage', ({ key, newValue }) => {
    if (key === CONSENT_KEY) say();
    else if (key === null || (key === ID_KEY && !newValue)) say(undefined, true);
  });

  let polls = 0;
  const poll = setInterval(() => {
    refresh();
    if (++polls === POLLS) clearInterval(poll);
  }, POLL_MS);

  if (start.consent) consent.say(start.consent);
  viewed();

  return {
    consent: (flags: Partial<ConsentFlags> | null) => say(flags ?? {}),
    track,
    purchase: (order) => track('purchase', order),
    identify: guard((email) => {
      refresh();
      const asked = visit;
      if (!state.marketing) return;
      hashEmail(email).then(
        guard((email_hash) => {
          refresh();
          if (email_hash && state.marketing && asked === visit) emit(draft('identify', { email_hash }));
        }),
        () => undefined,
      );
    }),
  };
}

function shopifyClientId(): string | undefined {
  try {
    return /(?:^|; )_shopify_y=([^;]+)/.exec(document.cookie)?.[1];
  } catch {
    // A sandboxed page has no cookies.
    return undefined;
  }
}
