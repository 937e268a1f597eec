import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Question } from './measured-api.js';

export interface MeasuredApi {
  url: string;
  ask(question: Question): Promise<number>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('measured-api.ts', import.meta.url));

export async function startMeasuredApi(env: NodeJS.ProcessEnv): Promise<MeasuredApi> {
  const child = fork(PROGRAM, {
    env: { ...process.env, ...env },
    execArgv: ['--expose-gc', '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    async ask(question) {
      const answered = once(child, 'message') as Promise<[{ value: number }]>;
      child.send(question);
      return (await answered)[0].value;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
