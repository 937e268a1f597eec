import type { Draft, PixelOptions } from './types.js';

/** The most events that a batch may hold. */
export const MAX_EVENTS = 20;
/** Below the collector's 64 KB and the browser's 64 KiB for requests that outlive their page, with room for the frame. */
const MAX_BYTES = 60_000;

/** An event on its way, and how often it was tried. */
export type Item = [event: Draft, tries: number];

/** Takes the next batch off the queue. An event that alone is too long is taken off and left out. */
export function takeBatch(queue: Item[]): Item[] {
  let bytes = 0;
  const over = queue.findIndex(([event], at) => {
    bytes += new TextEncoder().encode(JSON.stringify(event)).length;
    return bytes > MAX_BYTES || at === MAX_EVENTS;
  });
  const batch = queue.splice(0, over < 0 ? MAX_EVENTS : over || 1);
  return over ? batch : [];
}

type Post = (batch: Item[], leaving?: boolean) => Promise<unknown>;

/** Sends a batch, `leaving` in a way that survives the end of the page. Rejects where it met no server. */
export const createPost =
  ({ endpoint, token }: PixelOptions): Post =>
  async (batch, leaving) => {
    const body = JSON.stringify({ token, events: batch.map(([event]) => event) });
    // A beacon carries the collector's cookies, so it is for browsers that can't do without.
    return leaving && !('keepalive' in Request.prototype)
      ? navigator.sendBeacon(endpoint, body)
      : fetch(endpoint, { method: 'POST', body, keepalive: true, credentials: 'omit' });
  };
