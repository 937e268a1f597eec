import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, UnrecoverableError, Worker, type Job } from 'bullmq';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { CONSUMING } from '../../../src/queue/consumer.js';
import { jobKey, QUEUE_PREFIX, type QueueName } from '../../../src/queue/jobs.js';
import { JOB_OPTIONS } from '../../../src/queue/producer.js';
import { until } from '../../embedded/processes.js';
import { sharedEngines } from '../../support/shared-engines.js';
import { Keyspace, SortedSet } from '../redis/keyspace.js';
import { createRandom } from '../world/random.js';
import { createQueueServer } from './server.js';

const QUEUE: QueueName = 'orders';
const DELAY_MS = 5;
const OPTIONS = { ...JOB_OPTIONS, attempts: 3, backoff: { type: 'fixed', delay: DELAY_MS } } as const;
/** No lock runs out by itself: some are taken away. */
const LOCK_MS = 60_000;
const STEPS = 150;

/** The jobs of a queue by state, in their order where there is one. */
interface Contents {
  wait: string[];
  active: string[];
  delayed: string[];
  failed: string[];
}

/** Where work on a job is under way. */
interface Held {
  id: string;
  token: string;
  job: Job;
}

describe('the simulated queue', () => {
  let redis: Redis;
  let queue: Queue;
  let worker: Worker;

  before(async () => {
    redis = new Redis((await sharedEngines()).redis.url, { db: 12, maxRetriesPerRequest: null });
    await redis.flushdb();
    queue = new Queue(QUEUE, { connection: redis, prefix: QUEUE_PREFIX });
    worker = newWorker(CONSUMING.stalledInterval);
  });
  after(async () => {
    await worker.close();
    await queue.close();
    await redis.flushdb();
    redis.disconnect();
  });
  const newWorker = (stalledInterval: number): Worker =>
    new Worker(QUEUE, null, {
      ...CONSUMING,
      lockDuration: LOCK_MS,
      stalledInterval,
      connection: redis,
      prefix: QUEUE_PREFIX,
      autorun: false,
    });
  const key = (name: string): string => `${QUEUE_PREFIX}:${QUEUE}:${name}`;

  const realContents = async (): Promise<Contents> => ({
    wait: await redis.lrange(key('wait'), 0, -1),
    active: await redis.lrange(key('active'), 0, -1),
    delayed: (await redis.zrange(key('delayed'), '0', '-1')).sort(),
    failed: (await redis.zrange(key('failed'), '0', '-1')).sort(),
  });
  const ends = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );

  it('does what BullMQ does, whatever comes in which order', async () => {
    const random = createRandom(7);
    const keys = new Keyspace(Date.now);
    const fake = createQueueServer(keys);
    const fakeContents = (): Contents => ({
      wait: [...keys.open<string[]>(key('wait'), Array)],
      active: [...keys.open<string[]>(key('active'), Array)],
      delayed: [...keys.open(key('delayed'), SortedSet).scores.keys()].sort(),
      failed: [...keys.open(key('failed'), SortedSet).scores.keys()].sort(),
    });
    const held: Held[] = [];
    let tokens = 0;

    const add = async (): Promise<void> => {
      const id = `j${random.int(1, 12)}`;
      await queue.add(QUEUE, { of: id }, { ...OPTIONS, jobId: id });
      fake.add(QUEUE, id, JSON.stringify({ of: id }), OPTIONS);
    };
    const take = async (): Promise<void> => {
      const token = `t${++tokens}`;
      const job = (await worker.getNextJob(token, { block: false })) as Job | undefined;
      const taken = fake.take(QUEUE, token, LOCK_MS);
      expect([taken?.id, taken?.data]).to.deep.equal([
        job?.id,
        job === undefined ? undefined : JSON.stringify(job.data),
      ]);
      if (job?.id !== undefined) held.push({ id: job.id, token, job });
    };
    /** Something that is done with work under way, of which the lock may be lost. */
    const withHeld = (use: (one: Held) => Promise<[boolean, boolean]>, isEnd: boolean) => async (): Promise<void> => {
      if (held.length === 0) return;
      const one = random.pick(held);
      const [real, simulated] = await use(one);
      expect(simulated).to.equal(real);
      if (isEnd) held.splice(held.indexOf(one), 1);
    };
    const complete = withHeld(
      async ({ id, token, job }) => [
        await ends(job.moveToCompleted(null, token, false)),
        fake.complete(QUEUE, id, token),
      ],
      true,
    );
    const failWith = (error: Error) =>
      withHeld(
        async ({ id, token, job }) => [
          await ends(job.moveToFailed(error, token, false)),
          fake.fail(QUEUE, id, token, error),
        ],
        true,
      );
    const renew = withHeld(
      async ({ id, token, job }) => [
        (await job.extendLock(token, LOCK_MS)) === 1,
        fake.renew(QUEUE, id, token, LOCK_MS),
      ],
      false,
    );
    /** The holder was killed or held up: its lock is gone, and the job is given to somebody else. */
    const stall = async (): Promise<void> => {
      if (held.length === 0) return;
      const { id } = random.pick(held);
      await redis.del(`${jobKey(QUEUE, id)}:lock`);
      keys.delete(`${jobKey(QUEUE, id)}:lock`);
      const watcher = newWorker(DELAY_MS);
      try {
        await watcher.startStalledCheckTimer();
        await until(`${id} is taken back`, async () => !(await realContents()).active.includes(id));
      } finally {
        await watcher.close();
      }
      fake.recoverStalled(QUEUE, CONSUMING.maxStalledCount);
    };
    const retry = async (): Promise<void> => {
      // In the order in which they failed.
      for (const id of await redis.zrange(key('failed'), '0', '-1')) await (await queue.getJob(id))?.retry('failed');
      fake.retryFailed(QUEUE);
    };
    const steps: [number, string, () => Promise<void>][] = [
      [6, 'add', add],
      [6, 'take', take],
      [2, 'complete', complete],
      [2, 'fail', failWith(new Error('passing'))],
      [1, 'fail for good', failWith(new UnrecoverableError('for good'))],
      [1, 'renew', renew],
      [1, 'stall', stall],
      [0.5, 'retry', retry],
    ];
    const all = steps.flatMap(([weight, name, run]) => Array.from({ length: weight * 2 }, () => ({ name, run })));
    const seen = { wait: 0, active: 0, delayed: 0, failed: 0 };
    for (let i = 0; i < STEPS; i++) {
      const { name, run } = random.pick(all);
      await run();
      const contents = fakeContents();
      expect(contents, `step ${i}: ${name}`).to.deep.equal(await realContents());
      for (const state of Object.keys(seen) as (keyof Contents)[]) seen[state] += contents[state].length;
      // What is delayed is due in the next step for both.
      await sleep(DELAY_MS + 1);
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).to.be.greaterThan(0);
  });
});
