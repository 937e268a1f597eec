import { pixelOf } from './core.js';
import { guard } from './guard.js';
import type { ConsentFlags, PixelOptions } from './types.js';

type Call = [verb: string, ...args: unknown[]];
interface Queue {
  push(call: Call): unknown;
}
interface GlobalCall {
  (...call: Call): void;
  /** Calls made before this script ran; from then on whatever is pushed is carried out. */
  q?: Queue;
}

/** The entry of the script tag: reads its `data-` attributes, replays the calls queued so far, and takes over the global. */
guard(() => {
  const tag = (document.currentScript ?? document.querySelector('script[data-token]')) as HTMLScriptElement | null;
  const { token, endpoint, name, ...options } = tag?.dataset ?? {};
  if (!tag || !token) {
    console.warn('profit pixel: no data-token');
    return;
  }
  // An empty attribute is what a template leaves where it has nothing to say.
  /* eslint-disable @typescript-eslint/prefer-nullish-coalescing */
  const called = name || 'profit';
  const target = endpoint || new URL('/v1/collect', tag.src).href;
  /* eslint-enable */
  const page = window as unknown as Record<string, GlobalCall | undefined>;
  const stub = page[called];
  const queued = stub?.q ?? [];
  // A tag before this one has taken the name.
  if (!Array.isArray(queued)) return;
  const calls = queued as Call[];

  const verbs = pixelOf({
    ...(options as Partial<PixelOptions>),
    token,
    endpoint: target,
    // A choice that was queued must hold before the first page view does.
    consent: calls.find(([verb]) => verb === 'consent')?.[1] as ConsentFlags | undefined,
  }) as unknown as Partial<Record<string, (...args: unknown[]) => void>>;
  const call: GlobalCall = guard((verb: string, ...args: unknown[]) => verbs[verb]?.(...args));
  for (const each of calls) call(...each);
  // A page may have kept the stub, or its queue.
  Object.assign(calls, (call.q = { push: (late: Call) => call(...late) }));
  // A value of the page's own is left alone; an element of this id is not meant.
  if (!stub || typeof stub === 'function' || (stub as unknown) instanceof Element) page[called] = call;
})();
