import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { API_NODE_OPTIONS } from '../../src/embedded/supervisor/services.js';
import type { Question } from './measured-api.js';
import { watchWork } from './worked.js';

export interface MeasuredApi {
  url: string;
  ask(question: Question): Promise<number>;
  /** Milliseconds that its event loop has worked. */
  workedMs(): number;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('measured-api.ts', import.meta.url));

export async function startMeasuredApi(env: NodeJS.ProcessEnv): Promise<MeasuredApi> {
  const child = fork(PROGRAM, {
    env: { ...process.env, ...env },
    execArgv: [...API_NODE_OPTIONS, '--expose-gc', '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { port } = await messageOf<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    workedMs: watchWork(child.pid ?? 0),
    async ask(question) {
      const answered = messageOf<{ value: number }>(child);
      child.send(question);
      return (await answered).value;
    },
    async stop() {
      await endProcess(child);
    },
  };
}

/** The next message of a process; rejects where it ends instead. */
export async function messageOf<T>(child: ChildProcess): Promise<T> {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('the process has ended');
  const heard = new AbortController();
  const { signal } = heard;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as T),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`the process ended with ${String(code)}`);
      }),
    ]);
  } finally {
    heard.abort();
  }
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
