import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

/** In a process of its own, whose clock and timers the simulation takes over. */
describe('a few simulated histories', () => {
  it('end with every figure right', async () => {
    const args = ['--import', 'tsx', 'test/simulation/main.ts', '--seed', '1', '--histories', '3'];
    const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: unknown) => {
      throw new Error(String((error as { stderr?: string }).stderr));
    });
    expect(stdout).to.match(/^3 histories, [1-9]\d* pushes, [1-9]\d* events: no difference/m);
  });
});
