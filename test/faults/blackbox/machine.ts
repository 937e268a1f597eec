import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptPort } from '../../support/remembered-port.js';
import { readRuntime } from '../../../src/embedded/supervisor/runtime.js';
import { createNetwork, type Network } from './proxy.js';
import type { StorePorts } from './engines.js';

export const PARTS = ['supervisor', 'api', 'worker'] as const;
export type Part = (typeof PARTS)[number];

/** A machine of its own: `npm start` with an API and a worker, whose way to the stores can fail. */
export interface Machine {
  name: string;
  url: string;
  redis: Network;
  /** The way to each server. */
  clickhouse: readonly Network[];
  /** Of a part that runs; 0 while it does not. */
  pidOf(part: Part): number;
  /** Puts its clock wrong; 0 puts it right. */
  shiftClock(ms: number): Promise<void>;
  /** Why it is not ready; undefined when it is. */
  notReady(): Promise<string | undefined>;
  /** Resolves to the status of the clean end. */
  stop(): Promise<number | null>;
  /** What it said last on the terminal. */
  output(): string;
}

const CLOCK = fileURLToPath(new URL('clock.mjs', import.meta.url));
const START = resolve('src/tooling/start.mjs');
/** An init system waits this long before it starts what has ended. */
const RESTART_MS = 500;

export async function startMachine(
  name: string,
  folder: string,
  stores: StorePorts,
  env: NodeJS.ProcessEnv,
): Promise<Machine> {
  const dataDir = join(folder, name);
  await mkdir(dataDir, { recursive: true });
  const [port, redis, clickhouse] = await Promise.all([
    keptPort(),
    createNetwork(stores.redis),
    Promise.all(stores.clickhouse.map((server) => createNetwork(server))),
  ]);
  const clock = join(dataDir, 'clock');
  /** A list of addresses, each by its own way. */
  const at = (urls: string, through: readonly Network[]): string =>
    urls
      .split(',')
      .map((url, i) => Object.assign(new URL(url), { port: String(through[i]?.port) }).href)
      .join(',');
  let child: ChildProcess;
  let isStopped = false;
  let said = '';
  const start = (): void => {
    child = spawn(process.execPath, [START], {
      cwd: dataDir,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        ...env,
        DATA_DIR: dataDir,
        PORT: String(port),
        API_PROCESSES: '1',
        REDIS_URL: at(env.REDIS_URL ?? '', [redis]),
        CLICKHOUSE_URL: at(env.CLICKHOUSE_URL ?? '', clickhouse),
        ...(env.CLICKHOUSE_NODES !== undefined && { CLICKHOUSE_NODES: at(env.CLICKHOUSE_NODES, clickhouse) }),
        NODE_OPTIONS: `--import=${CLOCK}`,
        CLOCK_FILE: clock,
      },
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-4_000)));
    child.once('exit', () => setTimeout(() => !isStopped && start(), RESTART_MS));
  };
  start();
  // Its parts end when it does.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;

  return {
    name,
    url,
    redis,
    clickhouse,
    output: () => said,
    pidOf(part) {
      if (part === 'supervisor') return child.pid ?? 0;
      return readRuntime(dataDir)?.[part].pid ?? 0;
    },
    shiftClock: (ms) => writeFile(clock, String(ms)),
    async notReady() {
      if (readRuntime(dataDir) === undefined) return `${name} has not started: ${said}`;
      const answer = await fetch(`${url}/readyz`).then(
        (response) => response.text().then((text) => `${response.status} ${text}`),
        (error: unknown) => String((error as Error).cause ?? error),
      );
      return answer === '200 {"status":"ok"}' ? undefined : `the API of ${name}: ${answer}`;
    },
    async stop() {
      isStopped = true;
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      process.removeListener('exit', kill);
      await Promise.all([redis, ...clickhouse].map((way) => way.stop()));
      return child.exitCode;
    },
  };
}
