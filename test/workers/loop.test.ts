import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { resting, runLoop } from '../../workers/loop.js';
import { until } from '../embedded/processes.js';

describe('a background loop', () => {
  it('counts failures in a row, so that a single one raises no alarm', async () => {
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

  it('rests after a turn for as long as its share of the time requires', async () => {
    let share = 0.001;
    let turns = 0;
    const turn = async (): Promise<boolean> => {
      turns++;
      await sleep(20);
      return true;
    };
    const loop = resting(turn, () => share);
    expect(await loop()).to.equal(true);
    expect(await loop()).to.equal(false);
    share = 1;
    expect(await loop()).to.equal(true);
    expect(turns).to.equal(2);
  });

  it('waits before its first turn too once its share is limited, and no longer than that', async () => {
    let share = 0.001;
    let turns = 0;
    const turn = (): Promise<boolean> => {
      turns++;
      return Promise.resolve(true);
    };
    const loop = resting(turn, () => share, 60);
    const startedAt = performance.now();
    expect(await loop()).to.equal(false);
    await until('a turn', () => loop());
    expect(performance.now() - startedAt).to.be.at.least(60);
    expect(await loop()).to.equal(false);
    share = 1;
    expect(await loop()).to.equal(true);
    expect(turns).to.equal(2);
  });

  it('does not rest after a turn that failed', async () => {
    let turns = 0;
    const turn = async (): Promise<boolean> => {
      turns++;
      await sleep(20);
      throw new Error('no');
    };
    const loop = resting(turn, () => 0.001);
    for (const nth of [1, 2]) {
      const failure: unknown = await loop().catch((error: unknown) => error);
      expect(failure).to.be.an('error').with.property('message', 'no');
      expect(turns).to.equal(nth);
    }
  });
});
