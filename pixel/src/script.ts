import { guard } from './guard.js';
import { createPixel } from './index.js';
import type { ConsentFlags, PixelOptions } from './types.js';

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
  if (!tag?.dataset.token) {
    console.warn('profit pixel: no data-token');
    return;
  }
  const { token, endpoint, name, region, pageViews } = tag.dataset;
  // An empty attribute is what a template leaves where it has nothing to say.
  /* eslint-disable @typescript-eslint/prefer-nullish-coalescing */
  const called = name || 'profit';
  const target = endpoint || new URL('/v1/collect', tag.src).href;
  /* eslint-enable */
  const page = window as unknown as Record<string, GlobalCall | undefined>;
  const stub = page[called];
  if (stub?.loaded) return;

  const queued = Array.from((stub?.q ?? []) as ArrayLike<Call>, (call) => Array.from(call) as Call);
  const pixel = createPixel({
    token,
    endpoint: target,
    region,
    pageViews: pageViews as PixelOptions['pageViews'],
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
  if (!stub || typeof stub === 'function' || (stub as unknown) instanceof Element) page[called] = call;
}

guard(run)();
