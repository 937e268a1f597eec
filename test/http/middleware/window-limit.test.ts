import { expect } from 'chai';
import { createWindowLimit, type WindowLimit } from '../../../src/http/middleware/window-limit.js';
import type { LeasePoints } from '../../../src/redis/limit-leases.js';

/** A store of points that several processes share, with a count of the questions. */
function start() {
  const taken = new Map<string, number>();
  const store = { questions: 0, isAway: false };
  const lease: LeasePoints = async (second, wants) => {
    store.questions++;
    await new Promise((resolve) => setImmediate(resolve));
    if (store.isAway) throw new Error('away');
    return wants.map(({ subject, points }) => {
      const key = `${second} ${subject}`;
      const before = taken.get(key) ?? 0;
      taken.set(key, before + points);
      return before;
    });
  };
  return { store, lease };
}

const at = Date.parse('2026-03-01T10:00:00.500Z');
const passed = async (limit: WindowLimit, id: string, count: number, now = at): Promise<number> => {
  const states = await Promise.all(Array.from({ length: count }, async () => limit(id, now)));
  return states.filter(({ isOver }) => !isOver).length;
};

describe('a limit of a window over several processes', () => {
  it('lets exactly as many requests pass as it says, whichever process they meet', async () => {
    for (const limit of [1, 4, 50, 500]) {
      const { lease } = start();
      const processes = [1, 2, 3].map(() => createWindowLimit({ limit, subject: 'token', lease }));
      let all = 0;
      for (let round = 0; round < 3 * limit; round++) {
        const turn = processes[round % 3];
        if (turn !== undefined) all += await passed(turn, 'a', 1);
      }
      // What a process has taken and nobody asks it for lies idle: at most an eighth of what was left then.
      for (const one of processes) all += await passed(one, 'a', limit);
      expect(all).to.equal(limit);
    }
  });

  it('lets a burst pass up to the limit and tells what remains', async () => {
    const { lease, store } = start();
    const limit = createWindowLimit({ limit: 10, subject: 'token', lease });
    expect(await limit('a', at)).to.deep.include({ limit: 10, remaining: 9, isOver: false, reset: 1 });
    expect(await passed(limit, 'a', 30)).to.equal(9);
    expect(await limit('a', at)).to.deep.include({ remaining: 0, isOver: true });
    expect(store.questions).to.be.at.most(4);
  });

  it('asks rarely for a subject that sends much, and not at all for one that is over', async () => {
    const { lease, store } = start();
    const limit = createWindowLimit({ limit: 10_000, subject: 'token', lease });
    for (let i = 0; i < 5_000; i++) await limit('a', at);
    expect(store.questions).to.be.at.most(30);
    await passed(limit, 'a', 6_000);
    const before = store.questions;
    expect(await passed(limit, 'a', 100)).to.equal(0);
    expect(store.questions).to.equal(before);
  });

  it('asks for all subjects of one turn at once', async () => {
    const { lease, store } = start();
    const limit = createWindowLimit({ limit: 5, subject: 'address', lease });
    await Promise.all(Array.from({ length: 500 }, async (_, i) => limit(`${i}`, at)));
    expect(store.questions).to.equal(1);
  });

  it('begins anew with every second, and keeps subjects apart', async () => {
    const { lease } = start();
    const limit = createWindowLimit({ limit: 2, subject: 'token', lease });
    expect(await passed(limit, 'a', 5)).to.equal(2);
    expect(await passed(limit, 'b', 5)).to.equal(2);
    const [late, next] = await Promise.all([passed(limit, 'c', 5), passed(limit, 'a', 5, at + 1_000)]);
    expect([late, next]).to.deep.equal([2, 2]);
  });

  it('has windows of any length, and says when the next one begins', async () => {
    const { lease } = start();
    const limit = createWindowLimit({ limit: 2, seconds: 60, subject: 'token', lease });
    expect(await limit('a', at)).to.deep.include({ isOver: false, remaining: 1, reset: 60 });
    expect(await limit('a', at + 30_000)).to.deep.include({ isOver: false, remaining: 0, reset: 30 });
    expect(await limit('a', at + 59_400)).to.deep.include({ isOver: true, reset: 1 });
    expect(await limit('a', at + 59_500)).to.deep.include({ isOver: false, reset: 60 });
  });

  it('counts for itself while the store is away', async () => {
    const { lease, store } = start();
    store.isAway = true;
    const limit = createWindowLimit({ limit: 3, subject: 'token', lease });
    expect(await passed(limit, 'a', 10)).to.equal(3);
    expect(await passed(limit, 'a', 10)).to.equal(0);
  });
});
