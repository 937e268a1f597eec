import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { RequestError } from '../../src/errors.js';
import { createLimiter } from '../../src/redis/limiters.js';
import { createLocks, lockKey } from '../../src/redis/locks.js';
import { connectState } from '../../src/redis/redis.js';
import { createSharedAnswers } from '../../src/redis/shared-answers.js';
import { sharedEngines } from '../support/shared-engines.js';

const HOUR_MS = 3_600_000;
/** More than each may wait. */
const LONG_MS = 30_000;

describe('a wait for another process while the clock of this one is put back by an hour', () => {
  const now = Date.now;
  let redis: Redis;
  before(async () => {
    redis = connectState((await sharedEngines()).redis);
  });
  after(() => redis.disconnect());
  afterEach(() => {
    Date.now = now;
  });

  /** What the wait ends with, when the clock jumps soon after it began. */
  const outcome = async (waiting: Promise<unknown>): Promise<unknown> => {
    const ended = waiting.catch((error: unknown) => error);
    await sleep(100);
    Date.now = () => now() - HOUR_MS;
    const abort = new AbortController();
    return Promise.race([ended, sleep(LONG_MS, 'still waiting', { signal: abort.signal })]).finally(() =>
      abort.abort(),
    );
  };

  it('ends for a lock', async () => {
    const name = `clock-${process.pid}`;
    await redis.set(lockKey(name), 'another', 'PX', 2 * LONG_MS);
    expect(await outcome(createLocks(redis)(name, () => Promise.resolve()))).to.be.instanceOf(RequestError);
    await redis.del(lockKey(name));
  });

  it('ends for a limit of tries', async () => {
    const limiter = createLimiter(redis, `clock-${process.pid}`, 1, 1);
    const isFree = (): Promise<boolean> =>
      limiter.consume('name').then(
        () => true,
        () => false,
      );
    expect(await isFree()).to.equal(true);
    // Sooner or later another one meets it in time, however slow the machine is.
    while (await isFree());
    Date.now = () => now() - HOUR_MS;
    await sleep(1_200);
    expect(await isFree()).to.equal(true);
  });

  it('ends for a shared answer', async () => {
    const subject = `clock-${process.pid}`;
    const key = `answer:clocks:{${subject}}:lock`;
    await redis.set(key, 'another', 'PX', 2 * LONG_MS);
    const answers = createSharedAnswers(redis, { name: 'clocks', lifetimeMs: 400, computeMs: 100 });
    expect(await outcome(answers.get(subject, () => Promise.resolve('')))).to.be.instanceOf(RequestError);
    await redis.del(key);
  });
});
