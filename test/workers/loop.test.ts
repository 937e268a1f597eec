import { expect } from 'chai';
import { runLoop } from '../../workers/loop.js';
import { until } from '../embedded/processes.js';

describe('a background loop', () => {
  it('counts failures in a row, so that one alone need alarm nobody', async () => {
    const counts: number[] = [];
    const turns = ['fails', 'works', 'fails', 'fails'];
    const loop = runLoop(() => (turns.shift() === 'fails' ? Promise.reject(new Error('no')) : Promise.resolve(false)), {
      idleMs: 1,
      busyMs: 1,
      onError: (_error, inARow) => counts.push(inARow),
    });
    await until('all turns are through', () => turns.length === 0);
    await loop.stop();
    expect(counts).to.deep.equal([1, 1, 2]);
  });
});
