import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';

/** In the second history a sweep is under way when all is at rest, so that what is left waits for the next one. */
const ARGS = ['--import', 'tsx', 'test/simulation/main.ts', '--seed', '1929285154'];

async function run(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...ARGS, ...args]).catch((error: unknown) => {
    throw new Error(String((error as { stderr?: string }).stderr));
  });
  return stdout;
}

const RESULT = /^3 histories, [1-9]\d* pushes, [1-9]\d* events: no difference/m;

/** Processes that run histories for this one. */
function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0);
  return pids.filter((one) => {
    try {
      const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${one}/stat`, 'utf8')) ?? [];
      return Number(parent) === pid && readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('share.mjs');
    } catch {
      return false; // it has ended
    }
  });
}

/** In processes of their own, whose clock and timers the simulation takes over. */
describe('a few simulated histories', () => {
  it('end with every figure right, and go the same way in whichever process they run', async () => {
    const [alone, shared] = await Promise.all([
      run('--histories', '3', '--processes', '1'),
      run('--histories', '3', '--processes', '2'),
    ]);
    expect(alone).to.match(RESULT);
    expect(RESULT.exec(shared)?.[0]).to.equal(RESULT.exec(alone)?.[0]);
  });

  it('fail when one of their processes dies, and name the history that it ran', async () => {
    const child = spawn(process.execPath, [...ARGS, '--minutes', '5', '--processes', '2']);
    const ended = once(child, 'close') as Promise<[number]>;
    let errors = '';
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    const isRunning = (): boolean => child.exitCode === null;
    let running: number[] = [];
    while (isRunning() && running.length < 2) {
      await sleep(50);
      running = childrenOf(child.pid ?? 0);
    }
    for (const pid of running.slice(0, 1)) process.kill(pid, 'SIGKILL');
    expect((await ended)[0]).to.equal(1);
    expect(errors).to.match(/a process died in a history \(SIGKILL\)\nrepeat it: .* --seed \d+\n/);
  });
});
