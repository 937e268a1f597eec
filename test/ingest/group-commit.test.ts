import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { RequestError } from '../../src/errors.js';
import { createGroupCommit, type GroupCommit } from '../../src/ingest/group-commit.js';
import type { AnyNewJob } from '../../src/queue/jobs.js';
import { segmentsOf } from '../../src/queue/segments.js';

interface Push {
  header: { shop_id: string };
  id: string;
  count?: number;
}
interface Added {
  jobId: string;
  ids: string[];
  bytes: number[][];
  segments: string[];
  done: () => void;
  fail: (error: Error) => void;
}

const OF_SHOP = { header: { shop_id: 's' } };

/** Of the two tables. */
const HEADS = ['#', ''];

/** A queue whose answers the test gives. */
function start(merge?: Parameters<typeof createGroupCommit<Push>>[0]['merge']): {
  commit: GroupCommit<Push>;
  added: Added[];
} {
  const added: Added[] = [];
  const add = (_queue: string, jobId: string, job: AnyNewJob): Promise<void> =>
    new Promise((resolve, reject) => {
      const { pushes } = job as unknown as { pushes: (Push & { bytes: number[] })[] };
      added.push({
        jobId,
        ids: pushes.map(({ id }) => id),
        bytes: pushes.map(({ bytes }) => bytes),
        segments: segmentsOf({ rows: job.rows.toString('base64') }, 2).map(
          ({ head, rows: texts }) => `${head.toString()}${texts.toString()}`,
        ),
        done: resolve,
        fail: reject,
      });
    });
  const heads = HEADS.map((head) => Buffer.from(head));
  const options = { producer: { add }, queue: 'orders', heads, ...(merge && { merge }) } as const;
  return { commit: createGroupCommit<Push>(options), added };
}

/** The job with a push. Two jobs are compressed at a time, so the one begun later may be given to the queue first. */
const jobOf = (added: readonly Added[], id: string): Added | undefined => added.find(({ ids }) => ids.includes(id));
/** Resolves once the queue was given so many jobs. */
const reached = async (added: readonly Added[], count: number): Promise<void> => {
  while (added.length < count) await turn();
};
const rows = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text));
const state = async (promise: Promise<void>): Promise<string> => {
  const settled = promise.then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
  return Promise.race([settled, turn().then(() => 'waits')]);
};
const push = (commit: GroupCommit<Push>, id: string): Promise<void> =>
  commit.add({ ...OF_SHOP, id }, rows(`[${id}]`, `(${id})`), 1);

describe('group commit', () => {
  it('writes pushes of one turn as one job, and answers each once the queue has it', async () => {
    const { commit, added } = start();
    const pushes = ['a', 'b', 'c'].map((id) => push(commit, id));
    await reached(added, 1);
    expect(added).to.have.length(1);
    expect(added[0]).to.deep.include({ ids: ['a', 'b', 'c'], segments: ['#[a][b][c]', '(a)(b)(c)'] });
    expect(added[0]?.bytes).to.deep.equal([
      [3, 3],
      [3, 3],
      [3, 3],
    ]);
    expect(await Promise.all(pushes.map(state))).to.deep.equal(['waits', 'waits', 'waits']);
    added[0]?.done();
    await Promise.all(pushes);
  });

  it('gathers in one job what arrives while two writes are under way', async () => {
    const { commit, added } = start();
    const first = [push(commit, 'a')];
    await turn();
    first.push(push(commit, 'b'));
    await reached(added, 2);
    const later: Promise<void>[] = [];
    for (const id of ['c', 'd', 'e']) {
      later.push(push(commit, id));
      await turn();
    }
    expect(added.map(({ ids }) => ids)).to.have.deep.members([['a'], ['b']]);
    jobOf(added, 'a')?.done();
    await first[0];
    await reached(added, 3);
    expect(added.at(-1)?.ids).to.deep.equal(['c', 'd', 'e']);
    added.forEach(({ done }) => done());
    await Promise.all([...first, ...later]);
    expect(new Set(added.map(({ jobId }) => jobId)).size).to.equal(3);
  });

  it('fails every push of a job that the queue refuses, and none of another', async () => {
    const { commit, added } = start();
    const [one, other] = [push(commit, 'a'), push(commit, 'b')];
    await turn();
    const next = push(commit, 'c');
    await reached(added, 2);
    jobOf(added, 'a')?.fail(new Error('away'));
    jobOf(added, 'c')?.done();
    expect(await Promise.all([one, other, next].map(state))).to.deep.equal(['away', 'away', 'done']);
  });

  it('waits for an open slot, and lets no other push join meanwhile', async () => {
    const { commit, added } = start();
    const slot = commit.openSlot('s', { rows: 1, bytes: 1 });
    const companion = push(commit, 'a');
    await turn();
    expect(added).to.have.length(0);
    const late = push(commit, 'b');
    await reached(added, 1);
    expect(added.map(({ ids }) => ids)).to.deep.equal([['b']]);
    const taken = slot.commit({ ...OF_SHOP, id: 's' }, rows('s', ''));
    await reached(added, 2);
    expect(added[1]?.ids).to.deep.equal(['a', 's']);
    expect(added[1]?.jobId).to.equal(slot.jobId);
    added.forEach(({ done }) => done());
    await Promise.all([companion, late, taken]);
  });

  it('leaves out a push that released its slot, and its bytes', async () => {
    const { commit, added } = start();
    for (let i = 0; i < 100; i++) {
      const slot = commit.openSlot('s', { rows: 1, bytes: 30 * 1024 * 1024 });
      slot.release();
      slot.release();
    }
    const pushed = push(commit, 'a');
    await reached(added, 1);
    expect(added.map(({ ids }) => ids)).to.deep.equal([['a']]);
    added[0]?.done();
    await pushed;
  });

  it('bounds a job by rows and by bytes', async () => {
    const { commit, added } = start();
    const pushes = [
      ...[1, 2, 3].map((i) => commit.add({ ...OF_SHOP, id: `rows ${i}` }, rows('', ''), 2_000)),
      ...[4, 5, 6].map((i) =>
        commit.add({ ...OF_SHOP, id: `bytes ${i}` }, [Buffer.alloc(700 * 1024), Buffer.alloc(0)], 1),
      ),
    ];
    for (let settled = 0; settled < pushes.length;) {
      await turn();
      for (; settled < added.length; settled++) added[settled]?.done();
      if (added.flatMap(({ ids }) => ids).length === pushes.length) break;
    }
    await Promise.all(pushes);
    // The smaller may be ready first.
    expect(added.map(({ ids }) => ids)).to.have.deep.members([
      ['rows 1', 'rows 2'],
      ['rows 3', 'bytes 4', 'bytes 5'],
      ['bytes 6'],
    ]);
  });

  it('refuses pushes while more waits than it holds, and takes them again afterwards', async () => {
    const { commit, added } = start();
    const big = (id: string) => commit.add({ ...OF_SHOP, id }, [Buffer.alloc(1024 * 1024), Buffer.alloc(0)], 1);
    const taken = Array.from({ length: 32 }, (_, i) => big(`${i}`));
    expect(() => big('more'))
      .to.throw(RequestError)
      .with.nested.property('errors[0].code', 'queue_unavailable');
    for (let i = 1; i <= 32; i++) {
      await reached(added, i);
      added[i - 1]?.done();
    }
    await Promise.all(taken);
    const again = big('more');
    await reached(added, 33);
    added.at(-1)?.done();
    await again;
  });

  it('joins pushes of one key, with their rows together', async () => {
    const into = (entry: Push, other: Push): void => void (entry.count = (entry.count ?? 1) + (other.count ?? 1));
    const { commit, added } = start({ keyOf: ({ id }) => id, into });
    const pushes = ['a', 'b', 'a'].map((id, i) => commit.add({ ...OF_SHOP, id }, rows(`${id}${i}`, ''), 1));
    await reached(added, 1);
    expect(added[0]).to.deep.include({ ids: ['a', 'b'], segments: ['#a0a2b1', ''] });
    added[0]?.done();
    await Promise.all(pushes);
  });
});
