import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { RequestError, unavailable } from '../errors.js';
import type { Beacon, Collected } from '../http/collector.js';
import { CLOSE, type Beacons, type Reply, type ThreadData } from './messages.js';

/** A beacon and who waits for what becomes of it. */
export interface Waiting {
  beacon: Beacon;
  resolve: (collected: Collected) => void;
  reject: (error: unknown) => void;
}

export interface CollectorThread {
  send(batch: readonly Waiting[]): void;
  /** Resolves when it has ended of its own accord. */
  close(): Promise<void>;
}

/** @param onCrash told when the thread ends though nobody asked it to; whoever waits has then been answered 503 */
export function startThread(entry: URL, data: ThreadData, onCrash: (reason: unknown) => void): CollectorThread {
  const worker = new Worker(entry, { workerData: data });
  const pending = new Map<number, Waiting>();
  let nextId = 0;
  let closing = false;
  let reason: unknown = new Error('a collector thread ended');

  const take = (id: number): Waiting | undefined => {
    const waiting = pending.get(id);
    pending.delete(id);
    return waiting;
  };

  worker.on('message', (replies: readonly Reply[]) => {
    for (const reply of replies) {
      const waiting = take(reply.id);
      if ('collected' in reply) waiting?.resolve(reply.collected);
      else waiting?.reject(toError(reply));
    }
  });
  worker.on('error', (error) => (reason = error));
  worker.on('exit', () => {
    for (const id of [...pending.keys()]) take(id)?.reject(lost(reason));
    if (!closing) onCrash(reason);
  });

  return {
    send(batch) {
      const message = toMessage(
        nextId,
        batch.map(({ beacon }) => beacon),
      );
      for (const waiting of batch) pending.set(nextId++, waiting);
      worker.postMessage(message, [message.bodies]);
    },
    async close() {
      closing = true;
      const ended = once(worker, 'exit');
      worker.postMessage(CLOSE);
      await ended;
    },
  };
}

function toMessage(first: number, batch: readonly Beacon[]): Beacons {
  const bodies = new Uint8Array(batch.reduce((sum, { body }) => sum + body.length, 0));
  let offset = 0;
  for (const { body } of batch) {
    bodies.set(body, offset);
    offset += body.length;
  }
  const beacons = batch.map(({ body, token, userAgent, debug }) => ({ token, userAgent, debug, length: body.length }));
  return { first, bodies: bodies.buffer, beacons };
}

function toError(reply: Exclude<Reply, { collected: Collected }>): unknown {
  if ('failed' in reply) return reply.failed;
  const { errors, retryAfter, cause } = reply.refused;
  return new RequestError(errors, retryAfter, { cause });
}

function lost(cause: unknown): RequestError {
  return unavailable('queue_unavailable', 'The events may not have been taken; send the request again.', cause);
}
