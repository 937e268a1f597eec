import { join } from 'node:path';
import type { EngineLog, Running } from '../engines/engine.js';
import { projectRoot } from '../../paths.js';
import { keptSecret } from '../../files.js';
import { keepRunning, type Kept } from './keep-running.js';
import { spawnNode, startNodeService } from './node-service.js';
import { redisMaxMemory } from '../engines/redis.js';
import type { ServiceLog } from './service-log.js';
import type { SupervisorConfig } from './supervisor-config.js';

/** Scripts with their arguments, each run with Node; options of Node stand before the script. */
export interface ServiceCommands {
  migrate: readonly string[];
  api: readonly string[];
  worker: readonly string[];
  /** The way of BI tools to the embedded engine. */
  bi: readonly string[];
}

/** Together with the engines' own this stays below the ten seconds in which a stop is over. */
const STOP_MS = 2_800;

/**
 * How the API's runtime is started, here and in docker-compose.yml. What is young on its heaps is little and is collected
 * dozens of times a second: helper threads cost more to wake and to wait for than they do, most of all on a busy machine.
 */
export const API_NODE_OPTIONS: readonly string[] = ['--no-parallel-scavenge'];

export function builtCommands(): ServiceCommands {
  const dist = join(projectRoot(), 'dist');
  return {
    migrate: [join(dist, 'src', 'cli', 'main.js'), 'migrate'],
    api: [...API_NODE_OPTIONS, join(dist, 'src', 'main.js')],
    worker: [join(dist, 'workers', 'main.js')],
    bi: [join(dist, 'src', 'embedded', 'bi-proxy', 'main.js')],
  };
}

/** The token that signs the operator in: the one that was set, else the one kept in the data folder. */
export async function adminTokenOf({ adminToken, dataDir }: SupervisorConfig): Promise<string> {
  return adminToken ?? keptSecret(join(dataDir, 'admin-token'));
}

/** With which the API seals secrets of others: what was set, else what the data folder keeps. No backup holds it. */
export async function secretsKeyOf({ secretsKey, dataDir }: SupervisorConfig): Promise<string> {
  return secretsKey ?? keptSecret(join(dataDir, 'secrets-key'));
}

/** Where the logs of all processes are. */
export const logFolder = ({ dataDir }: SupervisorConfig): string => join(dataDir, 'logs');

/** What the services find in their environment: the caller's, with the addresses that were chosen here. The admin token and the key of secrets are the API's alone. */
export function serviceEnv(
  config: SupervisorConfig,
  env: NodeJS.ProcessEnv,
  chosen: { port: number; clickhouseUrl: string; redisUrl: string; biPort?: number | undefined },
): NodeJS.ProcessEnv {
  const queueBytes = Math.min(2 * 1024 ** 3, Math.floor(redisMaxMemory() / 2));
  return {
    NODE_ENV: 'production',
    // The queue must refuse work before the embedded Redis has to.
    ...(config.redisUrl === undefined && { QUEUE_MAX_BYTES: String(queueBytes) }),
    ...env,
    HOST: config.host,
    PORT: String(chosen.port),
    DATA_DIR: config.dataDir,
    ...(!config.logToStdout && { ACCESS_LOG_DIR: logFolder(config) }),
    EMBEDDED_ENGINES: [
      ...(config.clickhouseUrl === undefined ? ['clickhouse'] : []),
      ...(config.redisUrl === undefined ? ['redis'] : []),
    ].join(','),
    CLICKHOUSE_URL: chosen.clickhouseUrl,
    REDIS_URL: chosen.redisUrl,
    ...(chosen.biPort !== undefined && { BI_PORT: String(chosen.biPort) }),
    ADMIN_TOKEN: undefined,
    SECRETS_KEY: undefined,
  };
}

/** Runs the migrations to their end. Throws with their last output when they fail. */
export async function migrate(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  log: ServiceLog,
  stop: AbortSignal,
): Promise<void> {
  const engine = spawnNode({ command, env, log });
  const kill = () => engine.process.kill('SIGKILL');
  stop.addEventListener('abort', kill, { once: true });
  const { code } = await engine.exited;
  stop.removeEventListener('abort', kill);
  stop.throwIfAborted();
  if (code !== 0) throw new Error(`the migrations failed\n${engine.lastWords()}`);
}

/** Keeps the API, the worker or the proxy of the BI tools running. `onExit` gets the end of its output each time it ends by itself. */
export function keepService(
  service: { name: string; command: readonly string[]; env: NodeJS.ProcessEnv; output: ServiceLog },
  log: EngineLog,
  onStart: () => void,
  onExit?: (lastWords: string) => void,
): Promise<Kept<Running>> {
  const { name, command, env, output } = service;
  return keepRunning({
    name,
    log,
    onStart,
    start: (onEnd) =>
      Promise.resolve(
        startNodeService({
          command,
          env,
          log: output,
          stopMs: STOP_MS,
          onExit(exit, lastWords) {
            onExit?.(lastWords);
            onEnd(exit);
          },
        }),
      ),
  });
}
