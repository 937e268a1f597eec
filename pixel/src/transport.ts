import { guard } from './guard.js';
import type { CollectEvent } from './types.js';

const BATCH_MS = 1000;
const RETRY_MS = 4000;
const MAX_EVENTS = 20;
/** Below the collector's 64 KB and the browser's 64 KiB for requests that outlive their page, with room for the frame. */
const MAX_BYTES = 60_000;
const MAX_TRIES = 3;

interface Item {
  event: CollectEvent;
  tries: number;
}

export interface Transport {
  add(event: CollectEvent): void;
  /** Sends what is queued; `leaving` in a way that survives the end of the page. */
  flush(leaving?: boolean): void;
  /** Drops whatever was not sent. */
  clear(): void;
}

/**
 * Sends events in batches, without waiting for answers. `settle` is called before anything goes and may clear the queue;
 * `permit` is then asked for each event. Whatever a server answered is done; what met no server is tried three times in all.
 */
export function createTransport(
  endpoint: string,
  token: string,
  settle: () => void,
  permit: (event: CollectEvent) => boolean,
): Transport {
  let queue: Item[] = [];
  let timer: number | undefined;
  let generation = 0;

  const arm = (delay: number): void => {
    timer ??= setTimeout(flush, delay);
  };
  const disarm = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  const flush = guard((leaving?: boolean) => {
    disarm();
    settle();
    queue = queue.filter(({ event }) => permit(event));
    while (queue.length) {
      let bytes = 0;
      const over = queue.findIndex(({ event }, at) => {
        bytes += new Blob([JSON.stringify(event)]).size;
        return bytes > MAX_BYTES || at === MAX_EVENTS;
      });
      const batch = queue.splice(0, over < 0 ? MAX_EVENTS : over);
      if (batch.length) void send(batch, leaving);
      else queue.shift();
    }
  });

  const send = async (batch: Item[], leaving?: boolean): Promise<void> => {
    const body = JSON.stringify({ token, events: batch.map(({ event }) => event) });
    const sent = generation;
    try {
      // A beacon carries the collector's cookies, so it is for browsers that can't do without.
      if (leaving && !('keepalive' in Request.prototype)) navigator.sendBeacon(endpoint, body);
      else await fetch(endpoint, { method: 'POST', body, keepalive: true, credentials: 'omit' });
    } catch {
      if (sent !== generation) return;
      queue.unshift(...batch.filter((item) => ++item.tries < MAX_TRIES));
      arm(RETRY_MS);
    }
  };

  return {
    add(event) {
      queue.push({ event, tries: 0 });
      if (queue.length < MAX_EVENTS) arm(BATCH_MS);
      else flush();
    },
    flush,
    clear() {
      generation++;
      queue = [];
      disarm();
    },
  };
}
