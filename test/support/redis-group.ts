import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from '../../src/embedded/engines/redis.js';
import { freePort } from '../../src/embedded/engines/free-port.js';
import { askRedis } from '../../src/redis/one-connection.js';
import { until } from '../embedded/processes.js';
import { endProcess } from './measured-process.js';

/** A master with two replicas, and three Sentinels that watch it under the name `profit`. */
export interface RedisGroup {
  /** What the service is told. */
  env: { REDIS_URL: string; REDIS_SENTINELS: string };
  /** Which of the servers is the master now, as the Sentinels say. */
  master(): Promise<RedisNode>;
  /** The servers, the first master first. */
  nodes: readonly RedisNode[];
  stop(): Promise<void>;
}

export interface RedisNode {
  port: number;
  url: string;
  signal(signal: NodeJS.Signals): void;
}

const NAME = 'profit';
const PASSWORD = 'of-the-group';
const HOST = '127.0.0.1';
/** A master that says nothing for this long is down: far longer than a slow disk or a busy machine holds one up. */
const DOWN_MS = 5_000;

const common = (dir: string, port: number): string[] => [`bind ${HOST}`, `port ${port}`, `dir ${dir}`, 'save ""'];

const server = (dir: string, port: number, master: number | undefined): string[] => [
  ...common(dir, port),
  'appendonly yes',
  'appendfsync always',
  'maxmemory-policy noeviction',
  'repl-diskless-sync-delay 0',
  `requirepass ${PASSWORD}`,
  `masterauth ${PASSWORD}`,
  ...(master === undefined ? [] : [`replicaof ${HOST} ${master}`]),
];

const sentinel = (dir: string, port: number, master: number): string[] => [
  ...common(dir, port),
  `sentinel monitor ${NAME} ${HOST} ${master} 2`,
  `sentinel auth-pass ${NAME} ${PASSWORD}`,
  `sentinel down-after-milliseconds ${NAME} ${DOWN_MS}`,
  `sentinel failover-timeout ${NAME} 5000`,
];

export async function startRedisGroup(): Promise<RedisGroup> {
  const program = findRedis();
  if (program === undefined) throw new Error('no Redis is installed');
  const folder = await mkdtemp(join(tmpdir(), 'profit-redis-group-'));
  const children: ChildProcess[] = [];

  const run = async (lines: (dir: string, port: number) => string[], ...args: string[]) => {
    const port = await freePort();
    const dir = join(folder, String(port));
    await mkdir(dir);
    const file = join(dir, 'redis.conf');
    await writeFile(file, lines(dir, port).join('\n'));
    const child = spawn(program, [file, ...args], { stdio: 'ignore' });
    children.push(child);
    return { port, child };
  };
  const node = async (master?: number): Promise<RedisNode> => {
    const { port, child } = await run((dir, own) => server(dir, own, master));
    return { port, url: `redis://:${PASSWORD}@${HOST}:${port}`, signal: (signal) => void child.kill(signal) };
  };
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(endProcess));
    // A child of a killed server, which writes its file anew, may still be there for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };

  try {
    const first = await node();
    const nodes = [first, await node(first.port), await node(first.port)];
    await until('both replicas follow', () => follows(first, 2));
    const sentinels: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { port } = await run((dir, own) => sentinel(dir, own, first.port), '--sentinel');
      sentinels.push(port);
    }
    const ask = (port: number) =>
      askRedis(
        { url: `redis://${HOST}:${port}` },
        (redis) => redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME),
        30_000,
      );
    const seen = (port: number) =>
      askRedis({ url: `redis://${HOST}:${port}` }, (redis) => redis.call('SENTINEL', 'MASTER', NAME), 1_000);
    const knowsAll = async (port: number): Promise<boolean> => {
      const facts = Object.fromEntries(pairs(await seen(port)));
      return facts['num-slaves'] === '2' && facts['num-other-sentinels'] === '2';
    };
    await until('the Sentinels know each other', async () =>
      (await Promise.all(sentinels.map((port) => knowsAll(port).catch(() => false)))).every(Boolean),
    );
    return {
      env: {
        REDIS_URL: `redis://:${PASSWORD}@${NAME}`,
        REDIS_SENTINELS: sentinels.map((port) => `${HOST}:${port}`).join(','),
      },
      async master() {
        const [, port] = (await ask(sentinels[0] ?? 0)) as [string, string];
        const found = nodes.find((one) => one.port === Number(port));
        if (found === undefined) throw new Error(`no server of the group listens on ${port}`);
        return found;
      },
      nodes,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Whether so many replicas have caught up with a master. */
async function follows(master: RedisNode, replicas: number): Promise<boolean> {
  const info = await askRedis(master, (redis) => redis.info('replication'), 1_000).catch(() => '');
  return (info.match(/state=online/g) ?? []).length === replicas;
}

function pairs(list: unknown): [string, string][] {
  const texts = Array.isArray(list) ? list.map(String) : [];
  return Array.from({ length: texts.length / 2 }, (_, i) => [texts[2 * i] ?? '', texts[2 * i + 1] ?? '']);
}
