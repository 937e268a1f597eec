import type { Config } from '../config.js';
import { unavailable } from '../errors.js';
import type { Collect } from '../http/collector.js';
import { createSharedCounts } from '../http/window-limit.js';
import { startThread, type CollectorThread, type Waiting } from './thread.js';

export interface CollectorPool {
  collect: Collect;
  /** Waits for the batches under way. */
  close(): Promise<void>;
}

export interface CollectorPoolOptions {
  /** Told of every thread that ends though nobody asked it to. */
  onCrash: (reason: unknown) => void;
  entry?: URL;
}

/** Two keep up with the thread that talks HTTP: reading and cleaning a batch takes twice as long as the request around it. */
const THREADS = 2;
/** Beacons of one message at most, so that a thread begins while others still arrive. */
const BEACONS_PER_MESSAGE = 16;
/** Bytes that the threads may be behind; beyond, the door is closed. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The collector on threads of its own, so that it uses more than one core and the API's other routes don't wait for it. A
 * thread that dies takes nothing with it that was acknowledged: what it had under way is answered 503, and the next beacon
 * that would have been its own starts another.
 */
export function startCollectorPool(config: Config, options: CollectorPoolOptions): CollectorPool {
  const { onCrash, entry = new URL('./thread-main.js', import.meta.url) } = options;
  const data = { config, tokenCounts: createSharedCounts() };
  const threads: (CollectorThread | null)[] = Array.from({ length: THREADS }, (_, place) => start(place));
  let turn = 0;
  let outgoing: Waiting[] = [];
  let bytes = 0;

  function start(place: number): CollectorThread {
    return startThread(entry, data, (reason) => {
      threads[place] = null;
      onCrash(reason);
    });
  }

  const flush = (): void => {
    if (outgoing.length === 0) return;
    turn = (turn + 1) % THREADS;
    (threads[turn] ??= start(turn)).send(outgoing);
    outgoing = [];
  };

  return {
    async collect(beacon) {
      const { length } = beacon.body;
      if (bytes + length > MOST_BYTES) {
        throw unavailable('queue_unavailable', 'The collector is behind; nothing was taken. Send the request again.');
      }
      bytes += length;
      try {
        return await new Promise((resolve, reject) => {
          outgoing.push({ beacon, resolve, reject });
          if (outgoing.length >= BEACONS_PER_MESSAGE) flush();
          else if (outgoing.length === 1) setImmediate(flush);
        });
      } finally {
        bytes -= length;
      }
    },
    async close() {
      await Promise.all(threads.flatMap((thread) => (thread === null ? [] : [thread.close()])));
    },
  };
}
