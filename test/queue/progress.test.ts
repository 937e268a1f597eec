import { expect } from 'chai';
import { createProgress, STANDSTILL_MS } from '../../src/queue/progress.js';

const state = (added: number, waiting: number, failed = 0) => ({
  added,
  waiting,
  failed,
  active: 0,
  delayed: 0,
  bytes: 0,
  oldestMs: 0,
});

describe('the progress of a queue', () => {
  it('stands still when nothing has left it for 30 s although jobs wait', () => {
    const progress = createProgress();
    expect(progress.isStandstill(state(5, 5), 0)).to.equal(false);
    expect(progress.isStandstill(state(9, 9), STANDSTILL_MS - 1)).to.equal(false);
    expect(progress.isStandstill(state(12, 12), STANDSTILL_MS)).to.equal(true);
    expect(progress.isStandstill(state(12, 11), STANDSTILL_MS + 1)).to.equal(false);
  });

  it('goes on while jobs leave a queue that grows', () => {
    const progress = createProgress();
    for (let i = 0; i < 100; i++) {
      expect(progress.isStandstill(state(i * 10, 1 + i * 9), i * 10_000)).to.equal(false);
    }
  });

  it('does not stand still while it is empty, and counts anew from the next job on', () => {
    const progress = createProgress();
    expect(progress.isStandstill(state(5, 0), 0)).to.equal(false);
    expect(progress.isStandstill(state(5, 0), 100_000)).to.equal(false);
    expect(progress.isStandstill(state(6, 1), 100_001)).to.equal(false);
    expect(progress.isStandstill(state(6, 1), 100_000 + STANDSTILL_MS)).to.equal(true);
  });

  it('takes dead letters that leave for progress, and those that come back for none', () => {
    const progress = createProgress();
    progress.isStandstill(state(5, 5), 0);
    expect(progress.isStandstill(state(5, 4, 1), STANDSTILL_MS)).to.equal(false);
    expect(progress.isStandstill(state(5, 5), STANDSTILL_MS + 1)).to.equal(false);
    expect(progress.isStandstill(state(5, 5), 2 * STANDSTILL_MS + 1)).to.equal(true);
  });
});
