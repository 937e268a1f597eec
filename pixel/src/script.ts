import { guard } from './guard.js';
import { createPixel } from './index.js';
import type { ConsentFlags } from './types.js';

type Call = [verb: string, ...args: unknown[]];
interface GlobalCall {
  (...call: Call): void;
  /** Calls made before this script ran; from then on whatever is pushed is carried out. */
  q?: ArrayLike<Call> | { push(call: Call): void };
  loaded?: boolean;
}

/** The entry of the script tag: reads its `data-` attributes, replays the calls queued so far, and takes over the global. */
function run(): void {
  const tag = (document.currentScript ?? document.querySelector('script[data-token]')) as HTMLScriptElement | null;
  const { token, endpoint, name = 'profit', region, pageViews } = tag?.dataset ?? {};
  const page = window as unknown as Record<string, GlobalCall | undefined>;
  const stub = page[name];
  if (!tag || !token) console.warn('profit pixel: no data-token');
  if (!tag || !token || stub?.loaded) return;

  const queued = Array.from((stub?.q ?? []) as ArrayLike<Call>, (call) => Array.from(call) as Call);
  const pixel = createPixel({
    token,
    endpoint: endpoint ?? new URL('/v1/collect', tag.src).href,
    region,
    pageViews: pageViews === 'manual' ? 'manual' : 'auto',
    // A choice that was queued must hold before the first page view does.
    consent: queued.find(([verb]) => verb === 'consent')?.[1] as ConsentFlags | undefined,
  });
  const verbs = pixel as unknown as Partial<Record<string, (...args: unknown[]) => void>>;
  const call: GlobalCall = guard((...[verb, ...args]: Call) => verbs[verb]?.(...args));
  call.loaded = true;
  call.q = { push: (late: Call) => call(...late) };
  queued.forEach((each) => call(...each));
  // A page may have kept the stub. A value of its own is left alone; an element of this id is not meant.
  if (typeof stub === 'function') stub.q = call.q;
  if (!stub || typeof stub === 'function' || (stub as unknown) instanceof Element) page[name] = call;
}

guard(run)();
