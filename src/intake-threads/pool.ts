import type { Config } from '../config.js';
import { unavailable } from '../errors.js';
import type { Beacon, Collect, Collected } from '../http/collector.js';
import type { PushOrders } from '../http/order-pushes.js';
import { createSharedCounts } from '../http/window-limit.js';
import { startThread, type IntakeThread, type Waiting } from './thread.js';

export interface IntakePool {
  collect: Collect;
  pushOrders: PushOrders;
  /** The requests of each token that the threads have taken. */
  tokenCounts: SharedArrayBuffer;
  /** Waits for the requests under way. */
  close(): Promise<void>;
}

export interface IntakePoolOptions {
  /** Told of every thread that ends though nobody asked it to. */
  onCrash: (reason: unknown) => void;
  entry?: URL;
}

/** Two keep up with the thread that talks HTTP: what they do to a request takes several times as long as the rest of it. */
const THREADS = 2;
/** Beacons of one message at most, so that a thread begins while others still arrive. */
const BEACONS_PER_MESSAGE = 16;
/** Bytes that the threads may be behind; beyond, the door is closed. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The intake of orders and events (plain batches apart) on threads of its own, so that it uses more than one core and no
 * reader waits for a large push. A thread that dies takes nothing with it that was acknowledged: what it had under way is answered 503, and the next
 * request that would have been its own starts another.
 */
export function startIntakePool(config: Config, options: IntakePoolOptions): IntakePool {
  const { onCrash, entry = new URL('./thread-main.js', import.meta.url) } = options;
  const tokenCounts = createSharedCounts();
  const data = { config, tokenCounts };
  const threads: (IntakeThread | null)[] = Array.from({ length: THREADS }, (_, place) => start(place));
  let turn = 0;
  let outgoing: (Waiting & { beacon: Beacon })[] = [];
  let bytes = 0;

  function start(place: number): IntakeThread {
    return startThread(entry, data, (reason) => {
      threads[place] = null;
      onCrash(reason);
    });
  }

  /** The one that is least behind; where none is, each in its turn, so that all are warm. */
  const next = (): IntakeThread => {
    turn = (turn + 1) % THREADS;
    const places = threads.map((_, i) => (turn + i) % THREADS);
    const backlog = (place: number): number => threads[place]?.backlog ?? 0;
    const place = places.reduce((least, other) => (backlog(other) < backlog(least) ? other : least));
    return (threads[place] ??= start(place));
  };

  const flush = (): void => {
    if (outgoing.length === 0) return;
    next().collect(outgoing);
    outgoing = [];
  };

  /** Sends a body, within what the threads may be behind, and waits for its answer. */
  const pass = async <Answer>({ length }: Buffer, send: (waiting: Waiting) => void): Promise<Answer> => {
    if (bytes + length > MOST_BYTES) {
      throw unavailable('queue_unavailable', 'The service is behind; nothing was taken. Send the request again.');
    }
    bytes += length;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        send({ resolve: (answer) => resolve(answer as Answer), reject });
      });
    } finally {
      bytes -= length;
    }
  };

  return {
    tokenCounts,
    collect: (beacon) =>
      pass<Collected>(beacon.body, (waiting) => {
        outgoing.push({ ...waiting, beacon });
        if (outgoing.length >= BEACONS_PER_MESSAGE) flush();
        else if (outgoing.length === 1) setImmediate(flush);
      }),
    pushOrders: (push) => pass<string>(push.body, (waiting) => next().pushOrders(push, waiting)),
    async close() {
      await Promise.all(threads.flatMap((thread) => (thread === null ? [] : [thread.close()])));
    },
  };
}
