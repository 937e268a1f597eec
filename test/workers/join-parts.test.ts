import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { createJoiner } from '../../workers/join.js';

class Poison extends Error {}
class Doubt extends Error {}

type Job = number[];

/** A joiner of jobs that are lists of pushes; those in `bad` fail with their error. */
function start(bad: Map<number, Error>) {
  const flushes: number[][] = [];
  const written = new Set<number>();
  const joiner = createJoiner<Job>({
    flush: (jobs) => {
      const pushes = jobs.flat();
      flushes.push(pushes);
      const fault = pushes.map((push) => bad.get(push)).find((error) => error !== undefined);
      if (fault !== undefined) return Promise.reject(fault);
      for (const push of pushes) written.add(push);
      return Promise.resolve();
    },
    classify: (error) => (error instanceof Poison ? 'permanent' : error instanceof Doubt ? 'unclear' : 'passing'),
    maxJobs: 10,
    maxFlushes: 1,
    retryMs: { first: 1, longest: 2 },
    maxWeight: 40,
    weigh: (job: Job) => job.length,
    pushesOf: (job) => job.map((push) => [push]),
    nameOf: (job) => `push ${job.join()}: `,
  });
  return { joiner, flushes, written };
}
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('a joiner of jobs that hold several pushes', () => {
  it('writes all but the poisoned pushes, then fails the job and names them', async () => {
    const bad = new Map([
      [17, new Poison('row 17')],
      [63, new Poison('row 63')],
    ]);
    const { joiner, flushes, written } = start(bad);
    const failure: unknown = await joiner.add(range(64)).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(UnrecoverableError);
    expect((failure as Error).message).to.equal('push 17: row 17; push 63: row 63');
    expect([...written].sort((a, b) => a - b)).to.deep.equal(range(64).filter((i) => !bad.has(i)));
    expect(flushes.length).to.be.at.most(25);
  });

  it('tells what the store said of a poisoned push', async () => {
    const away = new Poison('The store is away.', { cause: new Error('Type mismatch in column sku') });
    const { joiner } = start(new Map([[0, away]]));
    const failure: unknown = await joiner.add([0]).catch((error: unknown) => error);
    expect((failure as Error).message).to.equal('push 0: Type mismatch in column sku');
  });

  it('writes all but the one push that nobody foresaw would fail, and gives the job back', async () => {
    const { joiner, written } = start(new Map([[5, new Doubt('code 4711')]]));
    const failure: unknown = await joiner.add(range(16)).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Doubt).and.not.instanceOf(UnrecoverableError);
    expect(written.size).to.equal(15);
  });

  it('does not try every push when the failure is nobody’s own', async () => {
    const doubt = new Doubt('read only');
    const { joiner, flushes } = start(new Map(range(64).map((i) => [i, doubt])));
    expect(await joiner.add(range(64)).catch((error: unknown) => error)).to.equal(doubt);
    expect(flushes.length).to.be.at.most(16);
  });

  it('adds no job to a flush that is large enough', async () => {
    const { joiner, flushes } = start(new Map());
    await Promise.all([range(30), range(30), range(30), range(100)].map((job) => joiner.add(job)));
    expect(flushes.map(({ length }) => length)).to.deep.equal([60, 130]);
  });
});
