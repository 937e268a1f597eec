import { once } from 'node:events';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import { RequestError, unavailable } from '../errors.js';
import type { Beacon } from '../http/collector.js';
import type { OrderPush } from '../http/order-pushes.js';
import type { Answer, Beacons, Failure, Message, Reply, ThreadData } from './messages.js';

/** Who waits for the answer to a request. */
export interface Waiting {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface IntakeThread {
  /** Bytes of the bodies that it has under way. */
  readonly backlog: number;
  collect(batch: readonly (Waiting & { beacon: Beacon })[]): void;
  pushOrders(push: OrderPush, waiting: Waiting): void;
  /** Resolves when it has ended of its own accord. */
  close(): Promise<void>;
}

/**
 * Megabytes. Far more than a thread holds at once; what matters is that it cleans up before it takes more, and that the
 * runtime, which goes by the share of the limit, does not look through all that stays every few pushes.
 */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

/** @param onCrash told when the thread ends though nobody asked it to; whoever waits has then been answered 503 */
export function startThread(entry: URL, data: ThreadData, onCrash: (reason: unknown) => void): IntakeThread {
  const worker = new Worker(entry, { workerData: data, resourceLimits: LIMITS });
  const pending = new Map<number, Waiting & { bytes: number }>();
  let backlog = 0;
  let nextId = 0;
  let closing = false;
  let reason: unknown = new Error('an intake thread ended');

  const put = ({ resolve, reject }: Waiting, bytes: number): number => {
    pending.set(nextId, { resolve, reject, bytes });
    backlog += bytes;
    return nextId++;
  };
  const take = (id: number): Waiting | undefined => {
    const waiting = pending.get(id);
    pending.delete(id);
    backlog -= waiting?.bytes ?? 0;
    return waiting;
  };
  const post = (message: Message, handedOver: ArrayBuffer[] = []): void => worker.postMessage(message, handedOver);

  worker.on('message', (replies: readonly Reply[]) => {
    for (const reply of replies) {
      const waiting = take(reply.id);
      if ('answer' in reply) waiting?.resolve(reply.answer);
      else waiting?.reject(toError(reply));
    }
  });
  worker.on('error', (error) => (reason = error));
  worker.on('exit', () => {
    for (const id of [...pending.keys()]) take(id)?.reject(lost(reason));
    if (!closing) onCrash(reason);
  });

  return {
    get backlog() {
      return backlog;
    },
    collect(batch) {
      const message = toMessage(
        nextId,
        batch.map(({ beacon }) => beacon),
      );
      for (const waiting of batch) put(waiting, waiting.beacon.body.length);
      post(message, [message.bodies]);
    },
    pushOrders({ body, ...push }, waiting) {
      const own = ownMemory(body);
      const id = put(waiting, own.byteLength);
      post({ ...push, kind: 'push', id, body: own }, [own]);
    },
    async close() {
      closing = true;
      const ended = once(worker, 'exit');
      post({ kind: 'close' });
      await ended;
    },
  };
}

/** The memory of a body where nothing else stands in it, else a copy: handed over, it is gone for this thread. */
function ownMemory(body: Buffer): ArrayBuffer {
  const { buffer } = body;
  return buffer instanceof ArrayBuffer && buffer.byteLength === body.length ? buffer : new Uint8Array(body).buffer;
}

function toMessage(first: number, batch: readonly Beacon[]): Beacons {
  const bodies = new Uint8Array(batch.reduce((sum, { body }) => sum + body.length, 0));
  let offset = 0;
  for (const { body } of batch) {
    bodies.set(body, offset);
    offset += body.length;
  }
  const beacons = batch.map(({ body, token, userAgent, debug }) => ({ token, userAgent, debug, length: body.length }));
  return { kind: 'beacons', first, bodies: bodies.buffer, beacons };
}

function toError(failure: Failure): unknown {
  if ('failed' in failure) return failure.failed;
  const { errors, retryAfter, cause } = failure.refused;
  return new RequestError(errors, retryAfter, { cause });
}

function lost(cause: unknown): RequestError {
  return unavailable('queue_unavailable', 'It may not have been taken; send the request again.', cause);
}
