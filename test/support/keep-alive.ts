import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process of the built service that comes back when it was killed, as the supervisor would do it. */
export interface KeptAlive {
  /** With SIGKILL unless told otherwise. */
  kill(signal?: NodeJS.Signals): void;
  stop(): Promise<void>;
  /** What it has written to either output so far. */
  output(): string;
}

export function keepAlive(script: string, env: NodeJS.ProcessEnv): KeptAlive {
  let stopped = false;
  let child: ChildProcess;
  const written: string[] = [];
  const start = (): void => {
    child = spawn(process.execPath, [script], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => written.push(chunk.toString('utf8')));
    }
    child.stderr?.pipe(process.stderr, { end: false });
    child.once('exit', () => {
      if (!stopped) setTimeout(start, 100);
    });
  };
  start();
  return {
    kill: (signal = 'SIGKILL') => child.kill(signal),
    async stop() {
      stopped = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
    output: () => written.join(''),
  };
}
