import { unavailable } from '../../../src/errors.js';
import { CONSUMING, type Consume } from '../../../src/queue/consumer.js';
import { jobBytes, type QueueName } from '../../../src/queue/jobs.js';
import { JOB_OPTIONS, type Producer } from '../../../src/queue/producer.js';
import { createRedisClient, type Call } from '../redis/client.js';
import type { RedisServer } from '../redis/server.js';
import type { QueueServer } from './server.js';

/** Who waits for a job of which queue. */
export type Bell = Map<QueueName, Set<() => void>>;

/** Where a script leaves the job that it adds: queue, id and data. */
const ADDED = 'simulated:added';
const ADD_JOB = `local function add_job(keys, args) redis.call('SET', '${ADDED}', args[1] .. '\n' .. args[2]) end\n`;

/** The producer of one process. */
export function createSimulatedProducer(
  { queue: server, redis, bell }: { queue: QueueServer; redis: RedisServer; bell: Bell },
  call: Call,
): Pick<Producer, 'add' | 'addBy'> {
  const add = (queue: QueueName, jobId: string, text: string): void => {
    server.add(queue, jobId, text, JOB_OPTIONS);
    for (const wake of [...(bell.get(queue) ?? [])]) wake();
  };
  const outOfReach = (cause: unknown): never => {
    throw unavailable('queue_unavailable', 'The queue is out of reach.', cause);
  };
  /** What a script added is in the queue when the script has ended. */
  const client = createRedisClient(redis, (work) =>
    call(() => {
      const answer = work();
      const [queue, jobId = '', text = ''] = redis.keys.text(ADDED)?.split('\n') ?? [];
      redis.keys.delete(ADDED);
      if (queue !== undefined) add(queue as QueueName, jobId, text);
      return answer;
    }),
  );
  return {
    add: (queue, jobId, data) => call(() => add(queue, jobId, jobBytes(data).toString())).catch(outOfReach),
    addBy: (queue, jobId, data, run) =>
      run(client, { lua: ADD_JOB, keys: [], args: [`${queue}\n${jobId}`, jobBytes(data), ''] }).catch(outOfReach),
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
