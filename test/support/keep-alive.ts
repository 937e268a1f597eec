import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { running } from './left-behind.js';

/** A process of the built service that comes back when it was killed, as the supervisor would do it. */
export interface KeptAlive {
  /** With SIGKILL unless told otherwise. */
  kill(signal?: NodeJS.Signals): void;
  /** Resolves once the process that runs now has said, at level `info`, that it listens or works. */
  started(): Promise<void>;
  stop(): Promise<void>;
  /** What it has written to either output so far. */
  output(): string;
}

const START_MS = 180_000;

export function keepAlive(script: string, env: NodeJS.ProcessEnv): KeptAlive {
  let stopped = false;
  let child: ChildProcess;
  const written: string[] = [];
  /** Where the output of the process that runs now begins. */
  let begin = 0;
  const start = (): void => {
    begin = written.length;
    child = spawn(process.execPath, [script], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => written.push(chunk.toString('utf8')));
    }
    child.stderr?.pipe(process.stderr, { end: false });
    child.once('exit', () => {
      setTimeout(() => {
        if (!stopped) start();
      }, 100);
    });
  };
  start();
  const kept: KeptAlive = {
    kill: (signal = 'SIGKILL') => child.kill(signal),
    async started() {
      const end = Date.now() + START_MS;
      while (!/"msg":"(listening|working)"/.test(written.slice(begin).join(''))) {
        if (Date.now() > end) throw new Error(`${script} did not start`);
        await sleep(50);
      }
    },
    async stop() {
      stopped = true;
      running.delete(kept);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      child.kill('SIGCONT'); // where it was frozen
      await once(child, 'exit');
    },
    output: () => written.join(''),
  };
  running.add(kept);
  return kept;
}
