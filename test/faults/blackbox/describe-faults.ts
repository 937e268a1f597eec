import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
/** Far beyond what a fault and the look at every figure after it take, for a machine that is slow. */
const MAX_MS_A_FAULT = 240_000;

/**
 * Plays so many faults as one test: most of its time a service waits or comes back, in which the other tests have the
 * machine. What `npm run test:blackbox` would print is printed at its end.
 */
export const describeFaults = (title: string, { faults, shards = 1 }: { faults: number; shards?: number }): void => {
  describe(`${faults} random faults, one after the other, of a service with ${title}`, () => {
    it('leave every figure, order, event and count right', async () => {
      const command = ['--import', 'tsx', MAIN, '--faults', String(faults), '--shards', String(shards)];
      const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
      const kill = (): void => void child.kill();
      process.once('exit', kill);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
      const late = setTimeout(kill, faults * MAX_MS_A_FAULT);
      const [status] = await once(child, 'close');
      clearTimeout(late);
      process.removeListener('exit', kill);
      console.log(said.trimEnd().replace(/^/gm, '      '));
      expect(status, said).to.equal(0);
    }).timeout((faults + 1) * MAX_MS_A_FAULT);
  });
};
