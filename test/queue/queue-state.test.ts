import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { QUEUE_PREFIX } from '../../src/queue/jobs.js';
import { readQueueStates } from '../../src/queue/queue-state.js';
import { connectState, connectWorker } from '../../src/redis/redis.js';
import { until } from '../embedded/processes.js';
import { sharedEngines } from '../support/shared-engines.js';

describe('the state of a queue', () => {
  it('tells jobs by state, their size, and the age of the oldest that was never tried', async () => {
    const { redis } = await sharedEngines();
    const server = { url: redis.url, sentinels: undefined };
    const [state, connection, working] = [connectState(server), connectWorker(server), connectWorker(server)];
    const name = `state-${randomUUID()}`;
    const queue = new Queue(name, { connection, prefix: QUEUE_PREFIX });
    const read = async () => (await readQueueStates(state, [name as 'orders'])).get(name as 'orders');
    const data = 'x'.repeat(1_000);
    try {
      expect(await read()).to.deep.equal({
        waiting: 0,
        active: 0,
        delayed: 0,
        failed: 0,
        added: 0,
        bytes: 0,
        oldestMs: 0,
      });
      await queue.add('job', data, { timestamp: Date.now() - 60_000, attempts: 2, backoff: 600_000 });
      await queue.add('job', data, { timestamp: Date.now() - 5_000 });
      await queue.add('job', data);
      const waiting = await read();
      expect(waiting).to.include({ waiting: 3, added: 3, bytes: 3 * (data.length + 2) });
      expect(waiting?.oldestMs).to.be.within(60_000, 70_000);

      const fail = () => Promise.reject(new Error('no'));
      const worker = new Worker(name, fail, { connection: working, prefix: QUEUE_PREFIX, concurrency: 1 });
      await until('all were tried', async () => (await read())?.failed === 2);
      await worker.close();
      expect(await read()).to.deep.equal({
        waiting: 0,
        active: 0,
        delayed: 1,
        failed: 2,
        added: 3,
        bytes: 0,
        oldestMs: 0,
      });
      // A dead letter that is put back is old, and says nothing of how far workers are behind.
      for (const job of await queue.getFailed()) await job.retry();
      expect(await read()).to.include({ waiting: 2, failed: 0, oldestMs: 0 });
    } finally {
      await queue.obliterate({ force: true });
      await queue.close();
      for (const one of [state, connection, working]) one.disconnect();
    }
  });
});
