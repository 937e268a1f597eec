import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { RequestError } from '../../src/errors.js';
import { connectState } from '../../src/redis/redis.js';
import { createSharedAnswers } from '../../src/redis/shared-answers.js';
import { sharedEngines } from '../support/shared-engines.js';

/** The failure of a promise that must fail. */
async function failure(work: Promise<unknown>): Promise<RequestError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
  throw new Error('this should have failed');
}

describe('shared answers', () => {
  const open: Redis[] = [];
  let subjects = 0;
  const fresh = (): string => `subject-${process.pid}-${++subjects}`;
  const process_ = async (options: { lifetimeMs?: number; computeMs?: number } = {}) => {
    const redis = connectState((await sharedEngines()).redis);
    open.push(redis);
    return createSharedAnswers(redis, { name: 'test', lifetimeMs: 400, computeMs: 1_000, ...options });
  };
  afterEach(() => {
    for (const redis of open.splice(0)) redis.disconnect();
  });

  it('computes once for a crowd in many processes, and again after the lifetime', async () => {
    const options = { lifetimeMs: 1_000, computeMs: 10_000 };
    const answers = await Promise.all(Array.from({ length: 4 }, () => process_(options)));
    const subject = fresh();
    const starts: number[] = [];
    const compute = async (): Promise<string> => {
      starts.push(Date.now());
      await sleep(60);
      return `answer ${starts.length}`;
    };
    const seen = new Set<string>();
    while (starts.length < 4) {
      const batch = await Promise.all(answers.flatMap((one) => [one.get(subject, compute), one.get(subject, compute)]));
      expect(new Set(batch).size, 'one moment, one answer').to.be.at.most(2);
      for (const text of batch) seen.add(text);
      await sleep(10);
    }
    expect(seen).to.deep.equal(new Set(starts.map((_, i) => `answer ${i + 1}`)));
    // One computation a lifetime, of all that asked meanwhile.
    starts.slice(1).forEach((start, i) => expect(start - (starts[i] ?? 0)).to.be.at.least(options.lifetimeMs));
  });

  it('keeps subjects apart', async () => {
    const answers = await process_();
    const [a, b] = [fresh(), fresh()];
    expect(
      await Promise.all([answers.get(a, () => Promise.resolve('a')), answers.get(b, () => Promise.resolve('b'))]),
    ).to.deep.equal(['a', 'b']);
  });

  it('tells a failure to all who wait, never an old answer, and recovers', async () => {
    const [one, two] = await Promise.all([process_({ lifetimeMs: 50 }), process_({ lifetimeMs: 50 })]);
    const subject = fresh();
    expect(await one.get(subject, () => Promise.resolve('first'))).to.equal('first');
    await sleep(80);
    let tries = 0;
    const broken = async (): Promise<string> => {
      tries++;
      await sleep(30);
      throw new Error('the warehouse is away');
    };
    const errors = await Promise.all([failure(one.get(subject, broken)), failure(two.get(subject, broken))]);
    for (const error of errors) {
      expect(error.status).to.equal(503);
      expect(error.retryAfter).to.be.greaterThan(0);
      expect(error.message).not.to.include('warehouse is away');
    }
    expect(tries).to.equal(1);
    await sleep(1_050);
    expect(await two.get(subject, () => Promise.resolve('again'))).to.equal('again');
  });

  it('gives up on a computation that takes too long', async () => {
    const answers = await process_({ computeMs: 50 });
    const never = new Promise<string>(() => undefined);
    const error = await failure(answers.get(fresh(), () => never));
    expect(error.errors[0].code).to.equal('store_unavailable');
  });

  it('takes over from a process that died while computing', async () => {
    const answers = await process_({ computeMs: 200 });
    const subject = fresh();
    const redis = connectState((await sharedEngines()).redis);
    open.push(redis);
    await redis.set(`answer:test:{${subject}}:lock`, 'of a dead process', 'PX', 300);
    expect(await answers.get(subject, () => Promise.resolve('mine'))).to.equal('mine');
  });

  it('computes again when the clock of Redis is put back by an hour, so that an answer outlives its time', async () => {
    const answers = await process_();
    const subject = fresh();
    const redis = connectState((await sharedEngines()).redis);
    open.push(redis);
    await answers.get(subject, () => Promise.resolve('old'));
    await redis.pexpire(`answer:test:{${subject}}`, 3_600_000);
    expect(await answers.get(subject, () => Promise.resolve('new'))).to.equal('new');
  });

  it('says so when Redis is away', async () => {
    const redis = connectState({ url: 'redis://127.0.0.1:1' });
    open.push(redis);
    const answers = createSharedAnswers(redis, { name: 'test', lifetimeMs: 50, computeMs: 50 });
    expect((await failure(answers.get('x', () => Promise.resolve('never')))).status).to.equal(503);
  });
});
