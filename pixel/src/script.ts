import { pixelOf } from './core.js';
import { guard } from './guard.js';
import type { ConsentFlags, PixelOptions } from './types.js';

type Call = [verb: string, ...args: unknown[]];
type Verbs = Partial<Record<string, (...args: unknown[]) => void>>;
interface Queue {
  push(call: Call): unknown;
}
interface GlobalCall {
  (...call: Call): void;
  /** Calls made before this script ran; from then on whatever is pushed is carried out. */
  q?: Queue;
}

/** Calls that wait for a token. */
const MAX_WAITING = 100;

/** The entry of the script tag: reads its `data-` attributes, replays the calls queued so far, and takes over the global. */
guard(() => {
  // Tag managers run scripts that are no part of the page, and strip attributes: then `init` has the token.
  const tag = (document.currentScript ??
    document.querySelector('script[data-token^=pt_svc_],script[src*="/pixel.js"]')) as HTMLScriptElement | null;
  const { token, endpoint, name, ...options } = tag?.dataset ?? {};
  // An empty attribute is what a template leaves where it has nothing to say.
  /* eslint-disable @typescript-eslint/prefer-nullish-coalescing */
  const called = name || 'profit';
  const target = endpoint || (tag ? new URL('/v1/collect', tag.src).href : '');
  /* eslint-enable */
  const page = window as unknown as Record<string, GlobalCall | undefined>;
  const stub = page[called];
  const queued = stub?.q ?? [];
  // A tag before this one has taken the name.
  if (!Array.isArray(queued)) return;
  const calls = queued as Call[];

  let verbs: Verbs | undefined;
  const start = (given: Partial<PixelOptions>): void => {
    if (!given.token?.startsWith('pt_svc_')) {
      console.warn('profit pixel:', 'no data-token pt_svc_');
      return;
    }
    verbs ??= pixelOf({
      ...(options as Partial<PixelOptions>),
      endpoint: target,
      // A choice that was queued must hold before the first page view does.
      consent: waiting.find(([verb]) => verb === 'consent')?.[1] as ConsentFlags | undefined,
      ...(given as Pick<PixelOptions, 'token'>),
    }) as unknown as Verbs;
    for (const [verb, ...args] of waiting.splice(0)) verbs[verb]?.(...args);
  };
  /** Calls until there is a token. */
  const waiting: Call[] = [];
  const call: GlobalCall = guard((verb: string, ...args: unknown[]) => {
    if (verb === 'init') start(args[0] ?? {});
    else if (verbs) verbs[verb]?.(...args);
    else if (waiting.length < MAX_WAITING) waiting.push([verb, ...args]);
  });
  for (const each of calls) call(...each);
  if (token || !verbs) start({ token } as Partial<PixelOptions>);
  // A page may have kept the stub, or its queue.
  Object.assign(calls, (call.q = { push: (late: Call) => call(...late) }));
  // A value of the page's own is left alone; an element of this id is not meant.
  if (!stub || typeof stub === 'function' || (stub as unknown) instanceof Element) page[called] = call;
})();
