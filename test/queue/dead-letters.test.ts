import { randomUUID } from 'node:crypto';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { forEach } from '../../src/cli/queue/letters.js';
import { createDeadLetters, type DeadLetter, type DeadLetters } from '../../src/queue/dead-letters.js';
import { QUEUE_PREFIX, type QueueName } from '../../src/queue/jobs.js';
import { connectWorker } from '../../src/redis/redis.js';
import { until } from '../embedded/processes.js';
import { sharedEngines } from '../support/shared-engines.js';

const MANY = 10_000;

describe('dead letters', () => {
  let redis: Redis;
  let queue: Queue;
  let letters: DeadLetters;
  const name = `letters-${randomUUID()}`;
  const failed = `${QUEUE_PREFIX}:${name}:failed`;

  before(async () => {
    redis = connectWorker({ url: (await sharedEngines()).redis.url, sentinels: undefined });
    queue = new Queue(name, { connection: redis, prefix: QUEUE_PREFIX });
    letters = createDeadLetters(redis, name as QueueName);
  });
  afterEach(() => queue.obliterate({ force: true, count: MANY }));
  after(async () => {
    await Promise.all([queue.close(), letters.close()]);
    redis.disconnect();
  });

  const fail = async (ids: readonly string[], reason: string): Promise<void> => {
    const added = await queue.getFailedCount();
    await queue.addBulk(ids.map((id) => ({ name, data: { id }, opts: { jobId: id } })));
    const connection = redis.duplicate();
    const refuse = () => Promise.reject(new UnrecoverableError(reason));
    const worker = new Worker(name, refuse, { connection, prefix: QUEUE_PREFIX, concurrency: 200 });
    try {
      await until('all have failed', async () => (await queue.getFailedCount()) === added + ids.length);
    } finally {
      await worker.close();
      connection.disconnect();
    }
  };
  const all = async (walk: AsyncGenerator<DeadLetter>): Promise<DeadLetter[]> => {
    const list: DeadLetter[] = [];
    for await (const letter of walk) list.push(letter);
    return list;
  };
  const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `job-${String(i).padStart(6, '0')}`);

  it('are met once each, newest first, though many failed at the same moment', async () => {
    await fail(ids(450), 'no');
    // A whole flush fails within a millisecond.
    const together = ids(450).slice(100, 400);
    await redis.zadd(failed, ...together.flatMap((id) => [1_700_000_000_000, id]));
    const whole = await all(letters.walk());
    expect(whole.map(({ id }) => id)).to.have.members(ids(450));
    expect(whole.map(({ failedAt }) => failedAt)).to.deep.equal(whole.map((one) => one.failedAt).sort((a, b) => b - a));
  });

  it('are put back ten thousand at a time, none twice though some fail again at once', async () => {
    // As BullMQ keeps them.
    const pipeline = redis.pipeline();
    for (const [i, id] of ids(MANY).entries()) {
      pipeline.hset(`${QUEUE_PREFIX}:${name}:${id}`, { name, data: '{}', opts: '{}', failedReason: 'no', priority: 0 });
      pipeline.zadd(failed, 1_700_000_000_000 + (i >> 3), id);
    }
    await pipeline.exec();
    const met: string[] = [];
    const put = await forEach(letters.walk(), async (id) => {
      const isBack = await letters.retry(id);
      if (met.push(id) % 10 === 0) await redis.zadd(failed, Date.now(), id);
      return isBack;
    });
    expect(put).to.equal(MANY);
    expect(met).to.have.length(MANY);
    expect(new Set(met)).to.have.property('size', MANY);
    expect(await queue.getJobCounts('waiting', 'failed')).to.deep.equal({ waiting: MANY, failed: MANY / 10 });
  }).timeout(240_000);

  it('are dropped only while they are dead letters', async () => {
    await fail(['a', 'b'], 'no');
    expect(await letters.data('a')).to.equal('{"id":"a"}');
    expect(await letters.retry('b')).to.equal(true);
    expect(await letters.retry('b')).to.equal(false);
    expect([await letters.drop('a'), await letters.drop('a'), await letters.drop('b')]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect([await letters.find('a'), await letters.find('b'), await letters.data('a')]).to.deep.equal([
      null,
      null,
      null,
    ]);
    expect((await queue.getWaiting()).map(({ id }) => id)).to.deep.equal(['b']);
    expect((await queue.getJob('b'))?.data).to.deep.equal({ id: 'b' });
    expect(await letters.retry('nobody')).to.equal(false);
  });
});
