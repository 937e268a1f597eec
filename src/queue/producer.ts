import { Job, Queue, type JobJson, type JobsOptions } from 'bullmq';
import { addStandardJob } from 'bullmq/dist/esm/scripts/addStandardJob-9.js';
import type { Redis } from 'ioredis';
import { unavailable } from '../errors.js';
import { jobBytes, QUEUE_PREFIX, QUEUES, type AnyNewJob, type QueueName } from './jobs.js';

/** Puts jobs into the durable queue. */
export interface Producer {
  /**
   * Resolves once Redis holds the job; throws `queue_unavailable` if this is not certain. The data may be reused as soon as the call
   * returns its promise.
   */
  add(queue: QueueName, jobId: string, data: AnyNewJob): Promise<void>;
  /**
   * {@link Producer.add} in one step with more: `run` sends a script that adds the job, unless it decides otherwise, and this gives what
   * it gives.
   */
  addBy<T>(
    queue: QueueName,
    jobId: string,
    data: AnyNewJob,
    run: (redis: Redis, job: JobCommand) => Promise<T>,
  ): Promise<T>;
  /** Jobs of a queue by state, for health and metrics. */
  counts(queue: QueueName): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** What adds a job: the function `add_job(keys, args)` in Lua, and what it gets. The data are `args[1]`. */
export interface JobCommand {
  lua: string;
  keys: readonly string[];
  args: readonly [string | Buffer, Buffer, string | Buffer];
}

/** A job that fails for a passing reason is tried until it succeeds; only one that can never succeed becomes a dead letter. */
export const JOB_OPTIONS: JobsOptions = {
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: 'fixed', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: false,
};

/** Longest wait until Redis holds a job: a push must be answered within 5 s. */
const ADD_TIMEOUT_MS = 3_500;
/** Longest wait for the replicas; shorter than the silence after which a connection is cut. */
const REPLICAS_TIMEOUT_MS = 1_000;
/** Most bytes of jobs on their way to Redis; above this, jobs are refused. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The data of a job that is added: the bytes of its JSON text. */
class Written {
  constructor(readonly bytes: Buffer) {}

  /** BullMQ would serialise the data; it is serialised already. */
  toJSON(): null {
    return null;
  }
}

/**
 * A job whose data goes to Redis as bytes, which BullMQ passes on unchanged. As strings they would be copied on the heap and held until
 * Redis answers, and most of the garbage collector's work.
 */
class WrittenJob extends Job<unknown> {
  override asJSON(): JobJson {
    const json = super.asJSON();
    return this.data instanceof Written ? { ...json, data: this.data.bytes as unknown as string } : json;
  }
}

class WrittenQueue extends Queue {
  protected override get Job(): typeof Job {
    return WrittenJob as typeof Job;
  }
}

const ADD_JOB = `local function add_job(KEYS, ARGV)\n${addStandardJob.content}\nend\n`;

/** What BullMQ would send to add the job, and does not. */
async function commandOf(queue: WrittenQueue, jobId: string, bytes: Buffer): Promise<JobCommand> {
  const { backend } = queue;
  const job = new WrittenJob(queue, queue.name, new Written(bytes), { ...JOB_OPTIONS, jobId }, jobId);
  let sent: (string | Buffer)[] = [];
  const client = new Proxy(await backend.client, {
    get: (target, name): unknown =>
      name === 'runCommand'
        ? (_: string, parts: (string | Buffer)[]) => {
            sent = parts;
            return Promise.resolve(jobId);
          }
        : Reflect.get(target, name),
  });
  await backend.addJobToTransaction(client, job.asJSON(), jobId);
  const [packed = '', , options = ''] = sent.slice(addStandardJob.keys);
  return { lua: ADD_JOB, keys: sent.slice(0, addStandardJob.keys).map(String), args: [packed, bytes, options] };
}

export interface ProducerOptions {
  /** Connections that fail fast and bound every wait. */
  connectionOf: (queue: QueueName) => Redis;
  /** How many replicas must hold a job before it counts as accepted. */
  replicas?: number;
}

export function createProducer({ connectionOf, replicas = 0 }: ProducerOptions): Producer {
  const queues = new Map<QueueName, WrittenQueue>();
  const open = (name: QueueName): WrittenQueue => {
    const queue = new WrittenQueue(name, {
      connection: connectionOf(name),
      prefix: QUEUE_PREFIX,
      defaultJobOptions: JOB_OPTIONS,
      streams: { events: { maxLen: 1_000 } },
    });
    queue.on('error', () => undefined); // each failed call reports itself
    // A queue that loses its connection while it is opened never works: the next call opens another one.
    queue.waitUntilReady().catch(() => queues.delete(name));
    queues.set(name, queue);
    return queue;
  };
  for (const name of QUEUES) open(name);
  const get = (name: QueueName): WrittenQueue => queues.get(name) ?? open(name);
  let bytesUnderWay = 0;

  const send = async <T>(
    name: QueueName,
    bytes: Buffer,
    put: (queue: WrittenQueue, redis: Redis) => Promise<T>,
  ): Promise<T> => {
    if (bytesUnderWay + bytes.length > MAX_BYTES) throw new Error(`${bytesUnderWay} bytes wait for the queue`);
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(new Error('the queue did not acknowledge in time'));
      }, ADD_TIMEOUT_MS);
    });
    const queue = get(name);
    const redis = connectionOf(name);
    const putInTime = async (): Promise<T> => {
      await queue.waitUntilReady();
      if (isLate) return timeout;
      const result = await put(queue, redis);
      if (replicas > 0) await requireReplicas(redis, replicas);
      return result;
    };
    bytesUnderWay += bytes.length;
    const added = putInTime().finally(() => (bytesUnderWay -= bytes.length));
    return Promise.race([added, timeout]).finally(() => clearTimeout(timer));
  };
  const outOfReach = (cause: unknown): never => {
    const message = 'The queue is out of reach: this may not have been taken. Send the request again.';
    throw unavailable('queue_unavailable', message, cause);
  };

  return {
    async add(name, jobId, data) {
      const bytes = jobBytes(data);
      await send(name, bytes, (queue) => queue.add(name, new Written(bytes), { jobId })).catch(outOfReach);
    },
    async addBy(name, jobId, data, run) {
      const bytes = jobBytes(data);
      const put = async (queue: WrittenQueue, redis: Redis) => run(redis, await commandOf(queue, jobId, bytes));
      return send(name, bytes, put).catch(outOfReach);
    },
    counts: (name) => get(name).getJobCounts('waiting', 'active', 'delayed', 'failed'),
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

/** Waits for replicas. Everything written before, on any connection, is then on them too, because they follow one stream. */
async function requireReplicas(connection: Redis, wanted: number): Promise<void> {
  const held = await connection.wait(wanted, REPLICAS_TIMEOUT_MS);
  if (held < wanted) throw new Error(`${held} of ${wanted} replicas hold the job`);
}
