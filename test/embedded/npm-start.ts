import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { readRuntime } from '../../src/embedded/supervisor/runtime.js';
import { until } from './processes.js';

const run = promisify(execFile);
const running = new Set<ChildProcess>();

/** Ends what a failed test left running. */
export function killNpmStarts(): void {
  for (const service of running) service.kill('SIGKILL');
}

/** `npm start` on a folder and a free port, with the command line beside it. */
export async function startNpmStart(folder: string) {
  const env = { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0' };
  // Not in the project's folder, where somebody may have a file `.env`.
  const options = { cwd: folder, env };
  const start = resolve('src/tooling/start.mjs');
  const service = spawn(process.execPath, [start], { ...options, detached: true, stdio: 'pipe' });
  running.add(service);
  service.once('exit', () => running.delete(service));
  let output = '';
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  const exited = new Promise<number | null>((resolve) => service.once('close', resolve));
  await until(
    'the service is ready',
    () => {
      if (service.exitCode !== null) throw new Error(output);
      return output.includes('Ready at');
    },
    180_000,
  );
  const { url } = readRuntime(folder) ?? { url: '' };
  const profit = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [resolve('src/tooling/profit.mjs'), ...args], options);
    return stdout;
  };
  /** What a script prints in the project's folder. */
  const shell = async (script: string) => {
    const home = { ...env, HOME: process.env.HOME };
    return (await run('bash', ['-euc', script], { env: home })).stdout;
  };
  const call = async (method: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
    const answer = await fetch(`${url}/v1/source`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const stop = async () => {
    service.kill('SIGINT');
    return exited;
  };
  return { url, env, profit, shell, call, stop, pid: service.pid ?? 0, output: () => output };
}
