import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, type SeenRequest, type Site } from './serve-page.js';

export const TOKEN = `pt_svc_${'ab'.repeat(32)}`;

/** An event as it arrived: unchecked, apart from being an object. */
export type WireEvent = Record<string, unknown>;

type Answer = number | 'cut';

export interface Collector extends Site {
  /** URL of `pixel.js` as built from the sources, and of `decorate.js`. */
  script: string;
  decorator: string;
  endpoint: string;
  /** How a batch is answered; `'cut'` closes the connection. A list answers one batch after the other, its last all further. */
  answer: Answer | Answer[];
  /** Headers of the answers beside those of CORS. */
  headers: Record<string, string>;
  /** Milliseconds for which the end of each answer is held back; its head comes at once, with a body. */
  endsAfter?: number;
  /** The requests to the endpoint, whatever their method. */
  batches: () => SeenRequest[];
  /**
   * Every event received so far, in the order of arrival, each once as the service counts it: what is under way while a page is
   * left may be sent a second time, under its id.
   */
  events: () => WireEvent[];
  /** The events once there are `count` of them; throws when they take over four minutes, less than a test has. */
  received: (count: number) => Promise<WireEvent[]>;
  /** The events of each request once there are `count` requests; throws when they take over four minutes, less than a test has. */
  requested: (count: number) => Promise<WireEvent[][]>;
}

/** The build of the pixel: into `outdir`, returning absolute paths. */
interface Build {
  buildPixel: (options: {
    outdir: string;
  }) => Promise<{ script: string; decorator: string; entry: string; version: string }>;
}

/** As the service answers a page of another origin. */
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' };

let built: ReturnType<typeof scripts> | undefined;

/** What is wanted once there are `count` of it; throws when they take over four minutes, less than a test has. */
async function once<T>(count: number, what: string, seen: () => T[]): Promise<T[]> {
  const end = Date.now() + 240_000;
  while (seen().length < count) {
    if (Date.now() > end) throw new Error(`Expected ${count} ${what}, not ${seen().length}`);
    await sleep(20);
  }
  return seen();
}

/** Builds the script and the package entry from the sources into `outdir`. */
export async function buildPixel(outdir: string): ReturnType<Build['buildPixel']> {
  const build = (await import(new URL('../../../pixel/build.mjs', import.meta.url).href)) as Build;
  return build.buildPixel({ outdir });
}

/** The texts of `pixel.js` and `decorate.js`, built once a process. */
function scripts(): Promise<[script: string, decorator: string]> {
  built ??= (async () => {
    const outdir = await mkdtemp(join(tmpdir(), 'pixel-build-'));
    try {
      const { script, decorator } = await buildPixel(outdir);
      return [await readFile(script, 'utf8'), await readFile(decorator, 'utf8')];
    } finally {
      await rm(outdir, { recursive: true });
    }
  })();
  return built;
}

export const pixelScript = async (): Promise<string> => (await scripts())[0];

/** A collect endpoint that keeps what it is sent, on an origin of its own which also serves the script. */
export async function startCollector(): Promise<Collector> {
  const [script, decorator] = await scripts();
  const site = await serve('localhost', ({ url }) => {
    if (url === '/pixel.js') return { body: script, type: 'text/javascript' };
    if (url === '/decorate.js') return { body: decorator, type: 'text/javascript' };
    if (!url.startsWith('/v1/collect')) return undefined;
    const answers = [collector.answer].flat();
    const answer = answers[Math.min(collector.batches().length, answers.length) - 1] ?? 204;
    if (answer === 'cut') return 'cut';
    const { endsAfter } = collector;
    const late = endsAfter === undefined ? { body: '' } : { body: '{}', endsAfter };
    return { ...late, status: answer, headers: { ...CORS, ...collector.headers } };
  });
  const collector: Collector = {
    ...site,
    script: `${site.origin}/pixel.js`,
    decorator: `${site.origin}/decorate.js`,
    endpoint: `${site.origin}/v1/collect`,
    answer: 204,
    headers: {},
    batches: () => site.requests.filter(({ url }) => url.startsWith('/v1/collect')),
    events: () => {
      const seen = new Map<unknown, WireEvent>();
      for (const event of requests().flat()) if (!seen.has(event.event_id)) seen.set(event.event_id, event);
      return [...seen.values()];
    },
    received: (count) => once(count, 'events', collector.events),
    requested: (count) => once(count, 'requests', requests),
  };
  const requests = (): WireEvent[][] =>
    collector
      .batches()
      .filter(({ method }) => method === 'POST')
      .map(({ body: text }) => (JSON.parse(text) as { events: WireEvent[] }).events);
  return collector;
}
