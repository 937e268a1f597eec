import { spawn, spawnSync } from 'node:child_process';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareEnvironment } from '../../config.js';
import { askRedis } from '../../redis/one-connection.js';
import { loadingText, readLoading } from '../../redis/loading.js';
import { bringUp } from './bring-up.js';
import { follow, stoppable, type Engine, type EngineLog, type Exit, type Running } from './engine.js';
import { keptSecret, privateFolder, writePrivate } from '../../files.js';
import { keptPorts, readPorts } from './remembered-ports.js';

const host = '127.0.0.1';
const STOP_MS = 3_500;

export interface RedisOptions {
  /** Folder of this engine alone: append-only file, password, port. Created when missing. */
  dataDir: string;
  /** 0 or absent: a free port, chosen once and kept in the folder. */
  port?: number | undefined;
  /** `always` when absent: what was acknowledged survives a loss of power. */
  appendfsync?: 'always' | 'everysec' | undefined;
  log: EngineLog;
  /** Aborted when it is not needed any more, also while it reads its file back. */
  stop?: AbortSignal | undefined;
  /** Called when the engine ends without `stop` having been asked. */
  onExit?: ((exit: Exit) => void) | undefined;
}

export interface RunningRedis extends Running {
  /** `redis://:PASSWORD@127.0.0.1:PORT` */
  url: string;
  port: number;
  password: string;
}

const urlOf = (port: number, password: string): string => `redis://:${password}@${host}:${port}`;

/** What Redis may use of this machine's memory, in bytes: a third of it, or of what the container may use. */
export function redisMaxMemory(): number {
  // Without a limit the container reports 0 or an absurdly large number.
  const limit = process.constrainedMemory() || Infinity;
  return Math.floor(Math.min(limit, totalmem()) / 3);
}

/** The name of the installed server program: `redis-server` or `valkey-server`; undefined when there is neither. */
export function findRedis(): string | undefined {
  return ['redis-server', 'valkey-server', '/opt/homebrew/bin/redis-server', '/usr/local/bin/redis-server'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
}

function configuration(dataDir: string, port: number, password: string, appendfsync: string): string {
  return [
    `bind ${host}`,
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dataDir)}`,
    'daemonize no',
    'appendonly yes',
    `appendfsync ${appendfsync}`,
    'save ""',
    // A queue writes much and keeps little: with the default of 64 MB the file was rewritten 21 times in 25 minutes of an
    // import, each time holding the cores.
    'auto-aof-rewrite-min-size 1gb',
    // A full queue must refuse new work, never forget accepted work.
    'maxmemory-policy noeviction',
    `maxmemory ${redisMaxMemory()}`,
    'loglevel notice',
    '',
  ].join('\n');
}

/**
 * A shell that waits for the end of its input, which comes when this process ends, however it ends, and then stops the
 * server: Redis itself never notices that its parent is gone.
 */
function watchOver(engine: Engine): void {
  if (engine.process.pid === undefined) return;
  const script = 'read -r _; kill -TERM "$0"; sleep 5; kill -KILL "$0"';
  const shell = spawn('sh', ['-c', script, String(engine.process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: bareEnvironment(),
  });
  void engine.exited.then(() => shell.kill('SIGKILL'));
}

function launch(program: string, file: string, log: EngineLog): Engine {
  const child = spawn(program, [file], { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: bareEnvironment() });
  const engine = follow(child, (lines) => log.info({ lines }, 'redis'));
  watchOver(engine);
  return engine;
}

/** Stops a server of an earlier run that still writes to this folder; two would spoil the append-only file. */
async function stopLeftOver(dataDir: string, password: string, log: EngineLog): Promise<void> {
  const { redis: port } = await readPorts(join(dataDir, 'ports.json'));
  if (port === undefined) return;
  const url = urlOf(port, password);
  // Another's Redis refuses the password; ours may still be reading its file back.
  const isThere = () =>
    askRedis({ url }, (redis) => redis.ping(), 1_000).then(
      () => true,
      (error: unknown) => error instanceof Error && error.message.startsWith('LOADING'),
    );
  if (!(await isThere())) return;
  log.warn({ port }, 'a Redis of an earlier run was still there: stopping it');
  // It closes the connection instead of answering.
  await askRedis({ url }, (redis) => redis.shutdown('NOSAVE'), 1_000).catch(() => undefined);
  for (let attempt = 0; attempt < 50; attempt++) {
    if (!(await isThere())) return;
    await sleep(100);
  }
  throw new Error(`a Redis of an earlier run still runs on port ${port} and does not stop`);
}

/**
 * Starts the machine's Redis (or Valkey) on loopback with append-only persistence; it dies with this process.
 * Resolves when it answers, with everything that was acknowledged before read back.
 * Throws when no server is installed, when an asked port is taken, and when it does not come up.
 */
export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  const { log } = options;
  const program = findRedis();
  if (program === undefined) {
    throw new Error(
      'redis-server was not found: install it (apt-get install redis-server, brew install redis) or set REDIS_URL',
    );
  }
  const dataDir = resolve(options.dataDir);
  await privateFolder(dataDir);
  const password = await keptSecret(join(dataDir, 'password'));

  const { engine, at } = await bringUp('Redis', dataDir, { log, stop: options.stop }, async () => {
    await stopLeftOver(dataDir, password, log);
    const { redis: port } = await keptPorts(join(dataDir, 'ports.json'), { redis: options.port }, host, log);
    const file = join(dataDir, 'redis.conf');
    await writePrivate(file, configuration(dataDir, port, password, options.appendfsync ?? 'always'));
    const engine = launch(program, file, log);
    const at = { port, url: urlOf(port, password) };
    return {
      engine,
      at,
      // While it reads its file back, it answers ECHO and INFO, but not PING.
      answers: () => askRedis(at, (redis) => redis.ping(), 2_000).then(() => true),
      progress: async () => {
        const loading = await readLoading(at);
        return loading === null ? undefined : loadingText(loading);
      },
    };
  });
  const askToStop = () => engine.process.kill('SIGTERM');
  return { ...at, password, ...stoppable(engine, askToStop, STOP_MS, options.onExit) };
}
