import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { follow, untilReady, within, type Engine, type EngineLog, type Exit } from './engine.js';
import { keptSecret, privateFolder, readIfThere, writePrivate } from './files.js';
import { keptPorts } from './kept-ports.js';
import { redisCommand, type RedisAddress } from './redis-command.js';

const host = '127.0.0.1';
const startMs = 60_000;
const stopMs = 3_500;

export interface RedisOptions {
  /** Folder of this engine alone: append-only file, password, port. Created when missing. */
  dataDir: string;
  /** 0 or absent: a free port, chosen once and kept in the folder. */
  port?: number | undefined;
  /** `always` when absent: what was acknowledged survives a loss of power. */
  appendfsync?: 'always' | 'everysec' | undefined;
  log: EngineLog;
  /** Called when the engine ends without `stop` having been asked. */
  onExit?: ((exit: Exit) => void) | undefined;
}

export interface RunningRedis {
  /** `redis://:PASSWORD@127.0.0.1:PORT` */
  url: string;
  port: number;
  password: string;
  pid: number;
  /** Ends the engine after its last write is on disk. */
  stop(): Promise<void>;
}

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

function configuration(dataDir: string, at: RedisAddress, appendfsync: string): string {
  return [
    `bind ${at.host}`,
    `port ${at.port}`,
    `requirepass ${at.password}`,
    `dir ${JSON.stringify(dataDir)}`,
    'daemonize no',
    'appendonly yes',
    `appendfsync ${appendfsync}`,
    'save ""',
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
function watchdog(pid: number): ChildProcess {
  const script = 'read -r _; kill -TERM "$0"; sleep 5; kill -KILL "$0"';
  return spawn('sh', ['-c', script, String(pid)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
}

/** Stops a server of an earlier run that still writes to this folder; two would spoil the append-only file. */
async function stopLeftOver(dataDir: string, password: string, log: EngineLog): Promise<void> {
  const kept = JSON.parse((await readIfThere(join(dataDir, 'ports.json'))) ?? '{}') as { redis?: number };
  if (!kept.redis) return;
  const at = { host, port: kept.redis, password };
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await redisCommand(at, attempt === 0 ? 'SHUTDOWN NOSAVE' : 'PING', 1_000).catch(() => undefined);
    if (answer === undefined) return;
    if (attempt === 0) log.warn({ port: at.port }, 'a Redis of an earlier run was still there: stopping it');
    await sleep(100);
  }
  throw new Error(`a Redis of an earlier run still runs on port ${at.port} and does not stop`);
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
  await stopLeftOver(dataDir, password, log);

  for (let attempt = 1; ; attempt++) {
    const { redis: port } = await keptPorts(join(dataDir, 'ports.json'), { redis: options.port }, host, log);
    const at = { host, port, password };
    const file = join(dataDir, 'redis.conf');
    await writePrivate(file, configuration(dataDir, at, options.appendfsync ?? 'always'));
    const child = spawn(program, [file], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const engine = follow(child, (line) => log.info({ line }, 'redis'));
    const guard = engine.process.pid === undefined ? undefined : watchdog(engine.process.pid);
    void engine.exited.then(() => guard?.kill('SIGKILL'));
    const answers = () =>
      redisCommand(at, 'PING', 2_000).then(
        (answer) => answer === '+PONG',
        () => false,
      );
    const ready = await untilReady(engine, answers, startMs).catch((error: unknown) => {
      engine.process.kill('SIGKILL');
      throw new Error('Redis did not start', { cause: error });
    });
    if (ready) return running(engine, at, options.onExit);
    const output = engine.lastWords();
    if (!output.includes('Address already in use') || attempt === 4)
      throw new Error(`Redis ended at its start: ${output}`);
    log.warn({ attempt, output }, 'Redis ended at its start: trying again');
    await sleep(500);
  }
}

function running(engine: Engine, at: RedisAddress, onExit: RedisOptions['onExit']): RunningRedis {
  let stopping: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    engine.process.kill('SIGTERM');
    if (!(await within(engine.exited, stopMs))) engine.process.kill('SIGKILL');
    await engine.exited;
  };
  void engine.exited.then((exit) => {
    if (!stopping) onExit?.(exit);
  });
  const url = `redis://:${at.password}@${at.host}:${at.port}`;
  return { url, port: at.port, password: at.password, pid: engine.process.pid ?? 0, stop: () => (stopping ??= end()) };
}
