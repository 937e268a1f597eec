import { setImmediate as nextRound } from 'node:timers/promises';
import { expect } from 'chai';
import { createTurns } from '../../src/ingest/turns.js';

describe('turns of long work', () => {
  let now = 0;

  it('go to the owners in rotation, and let other work run in between', async () => {
    const turns = createTurns(() => now);
    const seen: string[] = [];
    const work = async (owner: string, name: string): Promise<void> => {
      const turn = await turns.begin(owner);
      for (let step = 0; step < 2; step++) {
        seen.push(name);
        now += 1;
        expect(turn.isOver()).to.equal(true);
        await turn.next();
      }
    };
    await Promise.all([work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1')]);
    expect(seen.indexOf('b1')).to.equal(1);
    expect(seen.lastIndexOf('b1')).to.be.at.most(3);
    expect(seen).to.have.length(8);
  });

  it('give owners with long steps and owners with short steps the same time', async () => {
    const turns = createTurns(() => now);
    const used = { long: 0, short: 0 };
    const work = async (owner: 'long' | 'short', ms: number, steps: number): Promise<void> => {
      const turn = await turns.begin(owner);
      for (let step = 0; step < steps; step++) {
        now += ms;
        used[owner] += ms;
        await turn.next();
        if (owner === 'short')
          expect(used.long, `after ${used.short} ms of short steps`).to.be.within(used.short - 20, used.short + 20);
      }
    };
    await Promise.all([work('long', 20, 6), work('short', 1, 100)]);
    expect(used).to.deep.equal({ long: 120, short: 100 });
  });

  it('charge nobody for a wait', async () => {
    const turns = createTurns(() => now);
    const waited = await turns.begin('waits');
    await nextRound();
    await nextRound();
    now += 1_000;
    expect(waited.isOver(), 'it has no turn any more').to.equal(true);
    const seen: string[] = [];
    const other = turns.begin('other').then(() => seen.push('other'));
    await Promise.all([waited.next().then(() => seen.push('waits')), other]);
    await Promise.all([
      turns.begin('other').then(() => seen.push('other')),
      waited.next().then(() => seen.push('waits')),
    ]);
    expect(seen).to.have.members(['other', 'waits', 'other', 'waits']);
    expect(seen.indexOf('waits')).to.be.below(2);
  });

  it('are followed by a rest while a short request waits', async () => {
    const turns = createTurns(() => now);
    const seen: string[] = [];
    const turn = await turns.begin('a');
    const done = turns.hurry();
    now += 100;
    const next = turn.next().then(() => seen.push('work'));
    for (let round = 0; round < 5; round++) await nextRound();
    seen.push('read');
    done();
    done(); // does nothing the second time
    await next;
    expect(seen).to.deep.equal(['read', 'work']);
  });

  it('come although a short request is never answered', async () => {
    const turns = createTurns();
    turns.hurry();
    const turn = await turns.begin('a');
    const until = performance.now() + 5;
    while (performance.now() < until);
    await turn.next();
    await turn.next();
  });
});
