import type { Draft, PixelOptions } from './types.js';

/** The most events that a batch may hold. */
export const MAX_EVENTS = 20;
/** Below the collector's 64 KB and the browser's 64 KiB for requests that outlive their page, with room for the frame. */
const MAX_BYTES = 60_000;

/** An event on its way, and how often it was tried. */
export type Item = [event: Draft, tries: number];

/** Bounds of a server's `Retry-After`: losing an order is worse than asking again within the hour. */
const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;

/**
 * An event as JSON. Old libraries give arrays and objects a `toJSON` that makes texts of them; its own property hides that of
 * the prototype, and is left out itself.
 */
const json = (event: Draft): string => JSON.stringify({ ...event, toJSON: undefined });

/** Takes the next batch off the queue. An event that alone is too long is taken off and left out. */
export function takeBatch(queue: Item[]): Item[] {
  let bytes = 0;
  const over = queue.findIndex(([event], at) => {
    bytes += new TextEncoder().encode(json(event)).length;
    return bytes > MAX_BYTES || at === MAX_EVENTS;
  });
  const batch = queue.splice(0, over < 0 ? MAX_EVENTS : over || 1);
  return over ? batch : [];
}

type Post = (batch: Item[]) => Promise<number | undefined>;

/**
 * Sends a batch in a way that outlives the page. Rejects where it met no server; resolves, where the
 * server could not take it just now, to the milliseconds that it wants to be left alone, NaN where it names none.
 */
export const createPost =
  ({ endpoint, token }: PixelOptions): Post =>
  async (batch) => {
    const events = batch.map(([event]) => json(event));
    // Not an array in JSON.stringify, for the same reason.
    // The service moves the times of a clock that is wrong by what `sent_at` differs from its own.
    const body = `{"token":${JSON.stringify(token)},"sent_at":"${new Date().toISOString()}","events":[${events.join()}]}`;
    const answer = await fetch(endpoint, { method: 'POST', body, keepalive: true, credentials: 'omit' });
    // Until the end of the answer Chromium counts the request against its 64 KiB, and refuses the next one.
    await answer.text();
    return /408|429|5../.test(`${answer.status}`) ? waitOf(answer.headers.get('retry-after') ?? '') : undefined;
  };

/** Seconds or a date → milliseconds within bounds; NaN where it is neither. */
function waitOf(text: string): number {
  const wait = Number(text) * 1000 || Date.parse(text) - Date.now();
  return Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}
