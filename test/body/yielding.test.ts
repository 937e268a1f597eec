import { setImmediate as nextRound } from 'node:timers/promises';
import { expect } from 'chai';
import { createYielding } from '../../src/body/yielding.js';

describe('long work that yields', () => {
  let now = 0;

  it('go to the owners in rotation, and let other work run in between', async () => {
    const yielding = createYielding(() => now);
    const seen: string[] = [];
    const work = async (owner: string, name: string): Promise<void> => {
      const yielder = await yielding.begin(owner);
      for (let step = 0; step < 2; step++) {
        seen.push(name);
        now += 1;
        expect(yielder.isDue()).to.equal(true);
        await yielder.yield();
      }
    };
    await Promise.all([work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1')]);
    expect(seen.indexOf('b1')).to.equal(1);
    expect(seen.lastIndexOf('b1')).to.be.at.most(3);
    expect(seen).to.have.length(8);
  });

  it('give owners with long steps and owners with short steps the same time', async () => {
    const yielding = createYielding(() => now);
    const used = { long: 0, short: 0 };
    const work = async (owner: 'long' | 'short', ms: number, steps: number): Promise<void> => {
      const yielder = await yielding.begin(owner);
      for (let step = 0; step < steps; step++) {
        now += ms;
        used[owner] += ms;
        await yielder.yield();
        if (owner === 'short')
          expect(used.long, `after ${used.short} ms of short steps`).to.be.within(used.short - 20, used.short + 20);
      }
    };
    await Promise.all([work('long', 20, 6), work('short', 1, 100)]);
    expect(used).to.deep.equal({ long: 120, short: 100 });
  });

  it('charge nobody for a wait', async () => {
    const yielding = createYielding(() => now);
    const waited = await yielding.begin('waits');
    await nextRound();
    await nextRound();
    now += 1_000;
    expect(waited.isDue(), 'another piece of work had the loop').to.equal(true);
    const seen: string[] = [];
    const other = yielding.begin('other').then(() => seen.push('other'));
    await Promise.all([waited.yield().then(() => seen.push('waits')), other]);
    await Promise.all([
      yielding.begin('other').then(() => seen.push('other')),
      waited.yield().then(() => seen.push('waits')),
    ]);
    expect(seen).to.have.members(['other', 'waits', 'other', 'waits']);
    expect(seen.indexOf('waits')).to.be.below(2);
  });

  it('are followed by a rest while a short request waits', async () => {
    const yielding = createYielding(() => now);
    const seen: string[] = [];
    const yielder = await yielding.begin('a');
    const done = yielding.prioritize();
    now += 100;
    const next = yielder.yield().then(() => seen.push('work'));
    for (let round = 0; round < 5; round++) await nextRound();
    seen.push('read');
    done();
    done(); // does nothing the second time
    await next;
    expect(seen).to.deep.equal(['read', 'work']);
  });

  it('come although a short request is never answered', async () => {
    const yielding = createYielding();
    yielding.prioritize();
    const yielder = await yielding.begin('a');
    const until = performance.now() + 5;
    while (performance.now() < until);
    await yielder.yield();
    await yielder.yield();
  });
});
