import { unavailable } from '../../../src/errors.js';
import { CONSUMING, type Consume } from '../../../src/queue/consumer.js';
import { jobBytes, type QueueName } from '../../../src/queue/jobs.js';
import { JOB_OPTIONS, type Producer } from '../../../src/queue/producer.js';
import type { Call } from '../redis/client.js';
import type { QueueServer } from './server.js';

/** Who waits for a job of which queue. */
export type Bell = Map<QueueName, Set<() => void>>;

/** The producer of one process. */
export function createSimulatedProducer(server: QueueServer, bell: Bell, call: Call): Pick<Producer, 'add'> {
  return {
    async add(queue, jobId, data) {
      const text = jobBytes(data).toString();
      try {
        await call(() => {
          server.add(queue, jobId, text, JOB_OPTIONS);
          for (const wake of [...(bell.get(queue) ?? [])]) wake();
        });
      } catch (cause) {
        throw unavailable('queue_unavailable', 'The queue is out of reach.', cause);
      }
    },
  };
}

const IDLE_MS = 5_000;

export interface ConsumerWorld {
  server: QueueServer;
  bell: Bell;
  call: Call;
  /** Runs something as part of the process, soon. */
  post: (run: () => void) => void;
  uuid: () => string;
}

/** The consumers of one process. What fails is asked again, as a worker's connection does it, also where it was done. */
export function createSimulatedConsume({ server, bell, call, post, uuid }: ConsumerWorld): Consume {
  const persist: Call = async (work) => {
    for (;;) {
      try {
        return await call(work);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };
  return ({ queue, concurrency, work, onError, onFailed }) => {
    const { lockDuration, stalledInterval, maxStalledCount } = CONSUMING;
    const held = new Map<string, string>();
    const running = new Set<Promise<void>>();
    let isClosed = false;
    let wake = (): void => undefined;

    const process = async (id: string, data: string, token: string): Promise<void> => {
      held.set(id, token);
      let failure: { error: unknown } | null = null;
      try {
        await work(JSON.parse(data));
      } catch (error) {
        failure = { error };
      }
      const done = failure;
      if (done !== null) onFailed(id, done.error);
      const isEnded = await persist(() =>
        done === null ? server.complete(queue, id, token) : server.fail(queue, id, token, done.error),
      );
      if (!isEnded) onError(new Error(`the lock of ${id} was lost`));
      if (held.get(id) === token) held.delete(id);
    };
    const pause = async (): Promise<void> => {
      const next = await persist(() => server.nextDelay(queue));
      const waiting = server.counts(queue).waiting;
      if (waiting > 0 && running.size < concurrency) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, Math.min(next ?? IDLE_MS, IDLE_MS));
      });
    };
    const ring = (): void => post(() => wake());
    const fetch = async (): Promise<void> => {
      const listeners = bell.get(queue) ?? new Set();
      bell.set(queue, listeners.add(ring));
      while (!isClosed) {
        const token = uuid();
        const job = running.size < concurrency ? await persist(() => server.take(queue, token, lockDuration)) : null;
        if (job === null) {
          await pause();
          continue;
        }
        const ended = process(job.id, job.data, token).finally(() => {
          running.delete(ended);
          wake();
        });
        running.add(ended);
      }
      listeners.delete(ring);
    };
    const timers = [
      setInterval(() => {
        for (const [id, token] of held) {
          call(() => server.renew(queue, id, token, lockDuration)).catch(onError);
        }
      }, lockDuration / 2),
      setInterval(() => {
        call(() => server.recoverStalled(queue, maxStalledCount)).then((ids) => ids.length > 0 && wake(), onError);
      }, stalledInterval),
    ];
    const fetching = fetch();
    return {
      async close() {
        isClosed = true;
        wake();
        await Promise.all([fetching, ...running]);
        for (const timer of timers) clearInterval(timer);
      },
    };
  };
}
