import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { createJoiner } from '../../workers/join.js';

class Poison extends Error {}

const retryMs = { first: 1, longest: 2 };
class Doubt extends Error {}

const told = {
  classify: (error: unknown) =>
    error instanceof Poison ? 'permanent' : error instanceof Doubt ? 'unclear' : 'passing',
} as const;

describe('createJoiner', () => {
  it('writes jobs that arrive together in one flush, and at most maxJobs at a time', async () => {
    const flushes: number[][] = [];
    const flush = (jobs: readonly number[]): Promise<void> => {
      flushes.push([...jobs]);
      return Promise.resolve();
    };
    const joiner = createJoiner({ flush, ...told, maxJobs: 3, maxFlushes: 1 });
    await Promise.all([1, 2, 3, 4, 5].map((job) => joiner.add(job)));
    expect(flushes).to.deep.equal([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('gathers jobs that trickle in, and begins a full flush at once', async () => {
    const flushes: number[][] = [];
    const begun: number[] = [];
    const flush = (jobs: readonly number[]): Promise<void> => {
      flushes.push([...jobs]);
      begun.push(performance.now());
      return Promise.resolve();
    };
    const joiner = createJoiner({ flush, ...told, maxJobs: 3, maxFlushes: 2, gatherMs: 100 });
    await joiner.add(1);
    const trickled = joiner.add(2);
    // A timer that was set before comes after it, however busy the machine is.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([trickled, joiner.add(3)]);
    const last = Promise.all([4, 5, 6, 7].map((job) => joiner.add(job)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(flushes).to.have.length(3);
    await last;
    expect(flushes).to.deep.equal([[1], [2, 3], [4, 5, 6], [7]]);
    const [first = 0, second = 0, third = 0, fourth = 0] = begun;
    // A busy machine tells the first of two late, which gathers from the moment before.
    expect(second - first).to.be.at.least(50);
    expect(fourth - third).to.be.at.least(50);
  });

  it('refuses a job that it cannot weigh, and writes the others', async () => {
    const flushed: string[] = [];
    const flush = (jobs: readonly string[]): Promise<void> => {
      flushed.push(...jobs);
      return Promise.resolve();
    };
    const weigh = (job: string): number => {
      if (job === 'damaged') throw new RangeError('its rows are not told');
      return 1;
    };
    const joiner = createJoiner({ flush, ...told, maxJobs: 3, maxFlushes: 1, weigh });
    const ends = await Promise.allSettled(['a', 'damaged', 'b'].map((job) => joiner.add(job)));
    expect(ends.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(flushed).to.deep.equal(['a', 'b']);
  });

  it('completes a job only after the flush that holds it', async () => {
    let release: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (release = resolve));
    const joiner = createJoiner({ flush: () => written, ...told, maxJobs: 10, maxFlushes: 1 });
    let done = false;
    const added = joiner.add(1).then(() => (done = true));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(done).to.equal(false);
    release();
    await added;
    expect(done).to.equal(true);
  });

  it('tells of a job for which no flush is free, and of no other', async () => {
    let release: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (release = resolve));
    let waits = 0;
    const joiner = createJoiner({ flush: () => written, ...told, maxJobs: 10, maxFlushes: 1, onWait: () => waits++ });
    const first = joiner.add(1);
    expect(waits).to.equal(0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = joiner.add(2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(waits).to.equal(1);
    release();
    await Promise.all([first, second]);
    await joiner.add(3);
    expect(waits).to.equal(1);
  });

  it('keeps at most maxFlushes under way and joins what waits', async () => {
    let running = 0;
    let most = 0;
    let flushes = 0;
    const flush = async (): Promise<void> => {
      flushes++;
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
    };
    const joiner = createJoiner<number>({ flush, ...told, maxJobs: 100, maxFlushes: 2 });
    const added: Promise<void>[] = [];
    for (let i = 0; i < 50; i++) {
      added.push(joiner.add(i));
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(added);
    expect(most).to.equal(2);
    expect(flushes).to.be.lessThan(50);
  });

  it('tries a passing failure again until it succeeds', async () => {
    let tries = 0;
    const flush = (): Promise<void> => (++tries < 4 ? Promise.reject(new Error('away')) : Promise.resolve());
    await createJoiner<number>({ flush, ...told, maxJobs: 10, maxFlushes: 1, retryMs }).add(1);
    expect(tries).to.equal(4);
  });

  it('fails only the poisoned job, for good, and writes the others', async () => {
    const written = new Set<number>();
    const flush = (jobs: readonly number[]): Promise<void> => {
      if (jobs.includes(2)) return Promise.reject(new Poison('row 2 is broken'));
      for (const job of jobs) written.add(job);
      return Promise.resolve();
    };
    const joiner = createJoiner({ flush, ...told, maxJobs: 10, maxFlushes: 1, retryMs });
    const [one, two, three] = await Promise.allSettled([1, 2, 3].map((job) => joiner.add(job)));
    expect([one?.status, three?.status]).to.deep.equal(['fulfilled', 'fulfilled']);
    expect(two?.status === 'rejected' && two.reason).to.be.instanceOf(UnrecoverableError);
    expect([...written]).to.deep.equal([1, 3]);
  });

  it('gives the job back that a refusal nobody foresaw keeps from being written, and writes its neighbours', async () => {
    const tried: number[] = [];
    const written = new Set<number>();
    const flush = (jobs: readonly number[]): Promise<void> => {
      tried.push(jobs.length);
      if (jobs.includes(2)) return Promise.reject(new Doubt('code 4711'));
      for (const job of jobs) written.add(job);
      return Promise.resolve();
    };
    const joiner = createJoiner({ flush, ...told, maxJobs: 10, maxFlushes: 1, retryMs });
    const [one, two, three] = await Promise.allSettled([1, 2, 3].map((job) => joiner.add(job)));
    expect([one?.status, three?.status]).to.deep.equal(['fulfilled', 'fulfilled']);
    expect(two?.status === 'rejected' && two.reason)
      .to.be.instanceOf(Doubt)
      .and.not.instanceOf(UnrecoverableError);
    expect([...written]).to.deep.equal([1, 3]);
    expect(tried).to.deep.equal([3, 3, 3, 3, 3, 1, 2, 1, 1]);
  });

  it('gives jobs back when it is stopped while the store is away', async () => {
    const joiner = createJoiner<number>({
      flush: () => Promise.reject(new Error('away')),
      ...told,
      maxJobs: 10,
      maxFlushes: 1,
      retryMs,
    });
    const added = joiner.add(1).catch((error: unknown) => error);
    setTimeout(() => joiner.stop(), 5);
    expect(await added)
      .to.be.instanceOf(Error)
      .and.not.instanceOf(UnrecoverableError);
  });
});
