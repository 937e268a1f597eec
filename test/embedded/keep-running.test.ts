import { expect } from 'chai';
import { keepRunning } from '../../src/embedded/supervisor/keep-running.js';
import type { Exit } from '../../src/embedded/engines/engine.js';
import { until } from './processes.js';

const KILLED: Exit = { code: null, signal: 'SIGKILL' };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A process that dies when the test says so, and cannot be started while it says so. */
async function start() {
  const starts: ((exit: Exit) => void)[] = [];
  const state = { canStart: true, tries: 0, stopped: 0 };
  const kept = await keepRunning({
    name: 'it',
    log: quiet,
    firstDelayMs: 1,
    start(onExit) {
      state.tries++;
      if (!state.canStart) return Promise.reject(new Error('it cannot be started'));
      const pid = starts.push(onExit);
      const stop = (): Promise<void> => {
        state.stopped++;
        return Promise.resolve();
      };
      return Promise.resolve({ pid, stop });
    },
  });
  return { kept, state, starts, die: () => starts.at(-1)?.(KILLED) };
}

describe('a process that is kept running', () => {
  it('is started again after each of its deaths', async () => {
    const { kept, starts, die } = await start();
    try {
      for (let death = 1; death <= 5; death++) {
        die();
        await until(`it is back after death ${death}`, () => kept.current().pid === death + 1);
        expect(starts).to.have.length(death + 1);
      }
    } finally {
      await kept.stop();
    }
  });

  it('is tried again until it can be started', async () => {
    const { kept, state, die } = await start();
    try {
      state.canStart = false;
      die();
      await until('it was tried', () => state.tries >= 4);
      expect(kept.current().pid).to.equal(1);
      state.canStart = true;
      await until('it is back', () => kept.current().pid === 2);
    } finally {
      await kept.stop();
    }
  });

  it('is not started again once it was stopped', async () => {
    const { kept, state, die } = await start();
    state.canStart = false;
    die();
    await until('it was tried', () => state.tries >= 2);
    await kept.stop();
    const { tries } = state;
    die();
    await kept.stop();
    expect([state.tries, state.stopped]).to.deep.equal([tries, 2]);
  });
});
