import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { createConsume } from '../../src/queue/consumer.js';
import { QUEUE_PREFIX, type QueueName } from '../../src/queue/jobs.js';
import { connectWorker } from '../../src/redis/redis.js';
import { until } from '../embedded/processes.js';
import { sharedEngines } from '../support/shared-engines.js';

const HOUR_MS = 3_600_000;

describe('a job that is tried later', function () {
  this.timeout(60_000);
  const now = Date.now;
  afterEach(() => {
    Date.now = now;
  });

  it('is done soon, also where the clock was ahead by an hour when its wait began', async () => {
    const { redis } = await sharedEngines();
    const server = { url: redis.url, sentinels: undefined };
    const connection = connectWorker(server);
    const name = `later-${randomUUID()}`;
    const queue = new Queue(name, { connection, prefix: QUEUE_PREFIX });
    const done: unknown[] = [];
    const errors: unknown[] = [];
    Date.now = () => now() + HOUR_MS;
    const consumer = createConsume(() => [connectWorker(server)])({
      queue: name as QueueName,
      concurrency: 1,
      // The first try of each job fails; those of an error that is not for later come back by themselves.
      work: (data) => (done.push(data) > 2 ? Promise.resolve() : Promise.reject(new Error(String(data)))),
      isForLater: (error) => (error as Error).message === 'later',
      onError: (error) => errors.push(error),
      onFailed: () => undefined,
    });
    try {
      for (const data of ['later', 'again']) await queue.add('job', data, { attempts: 9, backoff: 1_000 });
      await until('both were tried', async () => (await queue.getDelayedCount()) === 2);
      Date.now = now;
      await until('both are done', async () => (await queue.getCompletedCount()) === 2);
      expect(done.toSorted()).to.deep.equal(['again', 'again', 'later', 'later']);
      expect(errors).to.deep.equal([]);
    } finally {
      await consumer.close();
      await queue.obliterate({ force: true });
      await queue.close();
      connection.disconnect();
    }
  });
});
