import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A process of the benchmark, so that it shares no event loop with what it measures. */
export interface BenchProcess {
  pid: number;
  /** Sends a message and gives the next one back. */
  ask<Answer>(message: object): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * @param file a script beside this one (TypeScript), or an absolute path of a built one
 * @param env the whole environment of the process
 * @param nodeOptions options of its runtime
 */
export function startProcess(
  file: string,
  env: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): BenchProcess {
  const built = file.endsWith('.js');
  const child = fork(built ? file : join(import.meta.dirname, file), [], {
    execArgv: [...nodeOptions, ...(built ? [] : ['--import', 'tsx'])],
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(message: object): Promise<Answer> {
      const answer = new Promise<Answer>((resolve) => child.once('message', (value) => resolve(value as Answer)));
      child.send(message);
      return Promise.race([answer, ended]);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exit;
      clearTimeout(force);
    },
  };
}

/** CPU time that a running process has taken. */
export async function processCpuSeconds(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'cputimes=', '-p', String(pid)]);
  return Number(stdout.trim());
}
