import { once } from 'node:events';
import pino from 'pino';
import { signInLink } from '../../console/server/ticket.js';
import type { RunningClickHouse } from '../engines/clickhouse.js';
import type { EngineLog, Running } from '../engines/engine.js';
import { privateFolder } from '../../files.js';
import { FolderLockedError, lockFolder } from './folder-lock.js';
import { keptBiPort, keptMetricsPorts } from './remembered-service-ports.js';
import { freePort, isPortFree } from '../engines/free-port.js';
import { keepClickHouse, keepRedis } from '../engines/remembered-engines.js';
import type { Kept } from './keep-running.js';
import { untilServing } from './ready.js';
import type { RunningRedis } from '../engines/redis.js';
import { openRuntimeFile, readRuntime, type Runtime } from './runtime.js';
import { createServiceLog, type ServiceLog, type Terminal } from './service-log.js';
import {
  adminTokenOf,
  secretsKeyOf,
  builtCommands,
  keepService,
  logFolder,
  migrate,
  serviceEnv,
  type ServiceCommands,
} from './services.js';
import { readSupervisorConfig, type SupervisorConfig } from './supervisor-config.js';
import { alreadyRunning, explain, portTaken, readyText } from './supervisor-texts.js';

export interface SuperviseOptions {
  env: NodeJS.ProcessEnv;
  terminal: Terminal;
  /** Aborted when everything is to stop. */
  stop: AbortSignal;
  /** The built service when absent. */
  commands?: ServiceCommands | undefined;
}

export interface Supervisor {
  /** Settles when everything has stopped: 0 after an asked stop, 1 when the start failed (the terminal says why). */
  done: Promise<number>;
  /** Restarts the embedded ClickHouse, which ends its queries and gives it new accounts of BI users. Does nothing where another ClickHouse is used. */
  restartClickHouse(): Promise<void>;
  /** Kills every process at once. */
  kill(): void;
}

/** The running processes. */
interface Tree {
  api?: Kept<Running>;
  worker?: Kept<Running>;
  bi?: Kept<Running>;
  clickhouse?: Kept<RunningClickHouse>;
  redis?: Kept<RunningRedis>;
}

/**
 * Runs the whole service as one tree: the engines that no URL replaces, the migrations, the API and the worker. A process that dies is
 * started again; an abort of `stop` ends everything in order.
 */
export function supervise(options: SuperviseOptions): Supervisor {
  const tree: Tree = {};
  return {
    done: run(options, tree),
    restartClickHouse: async () => tree.clickhouse?.restart(),
    kill() {
      for (const part of Object.values(tree) as Kept<Running>[]) {
        try {
          process.kill(part.current().pid, 'SIGKILL');
        } catch {
          continue; // gone already
        }
      }
    },
  };
}

async function run(options: SuperviseOptions, tree: Tree): Promise<number> {
  const { terminal, stop } = options;
  let config: SupervisorConfig;
  let unlock: () => void;
  try {
    config = readSupervisorConfig(options.env);
    await privateFolder(config.dataDir);
    unlock = lockFolder(config.dataDir);
  } catch (error) {
    const locked = error instanceof FolderLockedError;
    terminal.err(locked ? alreadyRunning(error.folder, readRuntime(error.folder)) : explain(error));
    return 1;
  }
  const runtimeFile = openRuntimeFile(config.dataDir);
  const logs = openLogs(config, terminal);
  try {
    const url = await start(config, options, tree, logs, runtimeFile.save);
    const link = signInLink(url, await adminTokenOf(config), Date.now());
    terminal.out(readyText(url, link, config, readRuntime(config.dataDir)?.metrics));
    if (!stop.aborted) await once(stop, 'abort');
    return 0;
  } catch (error) {
    if (stop.aborted) return 0;
    terminal.err(explain(error));
    return 1;
  } finally {
    if (stop.aborted) terminal.out('Stopping.');
    await runtimeFile.remove();
    // Processes stop before the stores that they write to.
    await Promise.all([tree.api?.stop(), tree.bi?.stop()]);
    await tree.worker?.stop();
    await Promise.all([tree.clickhouse?.stop(), tree.redis?.stop()]);
    logs.close();
    unlock();
  }
}

interface Logs {
  own: EngineLog;
  of(name: string): ServiceLog;
  close(): void;
}

function openLogs(config: SupervisorConfig, terminal: Terminal): Logs {
  const folder = config.logToStdout ? undefined : logFolder(config);
  const open: ServiceLog[] = [];
  const of = (name: string): ServiceLog => {
    const log = createServiceLog(name, folder, terminal);
    open.push(log);
    return log;
  };
  const lines = of('supervisor');
  const sink = { write: (line: string) => lines.write(line, 'stdout') };
  return {
    own: pino({ level: config.logLevel, base: null }, sink),
    of,
    close() {
      for (const log of open) log.close();
    },
  };
}

/** Starts everything in its order; resolves to the address once the API is ready. */
async function start(
  config: SupervisorConfig,
  { env, stop, commands = builtCommands() }: SuperviseOptions,
  tree: Tree,
  logs: Logs,
  save: (runtime: Runtime) => Promise<void>,
): Promise<string> {
  const { host } = config;
  const port = config.port === 0 ? await freePort(host) : config.port;
  if (!(await isPortFree(port, host))) throw new Error(portTaken(host, port));
  const url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const startedAt = new Date().toISOString();
  const clickhouseAt = () => {
    const at = tree.clickhouse?.current();
    if (!at) return { url: config.clickhouseUrl ?? '' };
    const { username, password, httpPort, pid } = at;
    return { url: at.url.replace('//', `//${username}:${password}@`), httpPort, pid };
  };
  const redisAt = () => {
    const at = tree.redis?.current();
    return at ? { url: at.url, port: at.port, pid: at.pid } : { url: config.redisUrl ?? '' };
  };
  const record = async (): Promise<void> => {
    if (!tree.api || !tree.worker) return;
    const api = { pid: tree.api.current().pid };
    const worker = { pid: tree.worker.current().pid };
    const bi = tree.bi && biPort !== undefined && { port: biPort, pid: tree.bi.current().pid };
    const at = { url, clickhouse: clickhouseAt(), redis: redisAt(), metrics, api, worker };
    await save({ pid: process.pid, startedAt, ...at, ...(bi && { bi }) });
  };

  let biPort: number | undefined;
  let ready = false;
  const changed = () => {
    if (ready) record().catch((error: unknown) => logs.own.error({ err: error }, 'runtime.json could not be written'));
  };

  const engines = await Promise.allSettled([
    config.clickhouseUrl ?? keepClickHouse(config, logs.own, changed).then((kept) => (tree.clickhouse = kept)),
    config.redisUrl ?? keepRedis(config, logs.own, changed, stop).then((kept) => (tree.redis = kept)),
  ]);
  for (const engine of engines) if (engine.status === 'rejected') throw engine.reason;
  stop.throwIfAborted();

  if (tree.clickhouse) biPort = await keptBiPort(config, logs.own);
  const chosen = { port, clickhouseUrl: clickhouseAt().url, redisUrl: redisAt().url, biPort };
  const services = serviceEnv(config, env, chosen);
  const secrets = { SECRETS_KEY: await secretsKeyOf(config) };
  const own = { api: { ADMIN_TOKEN: await adminTokenOf(config), ...secrets }, worker: secrets, bi: {} };
  const ports = await keptMetricsPorts(config, logs.own);
  const metricsAt = (of: number): string => `http://127.0.0.1:${of}/metrics`;
  const metrics = { api: metricsAt(ports.metrics), worker: metricsAt(ports.workerMetrics) };
  const metricsPort = { api: ports.metrics, worker: ports.workerMetrics, bi: 0 };
  await migrate(commands.migrate, services, logs.of('migrate'), stop);
  let apiEnd: string | undefined;
  const service = (name: 'api' | 'worker' | 'bi') => ({
    name,
    command: commands[name],
    env: { ...services, METRICS_PORT: String(metricsPort[name]), ...own[name] },
    output: logs.of(name),
  });
  tree.api = await keepService(service('api'), logs.own, changed, (words) => (apiEnd ??= words));
  tree.worker = await keepService(service('worker'), logs.own, changed);
  let biEnd: string | undefined;
  if (tree.clickhouse) tree.bi = await keepService(service('bi'), logs.own, changed, (words) => (biEnd ??= words));
  // The figures do not depend on BI tools: without their port the service is ready all the same.
  const bi = { name: 'the port for BI tools', url: `http://127.0.0.1:${biPort ?? 0}/ping` };
  const biServes = tree.bi && untilServing(bi, stop, () => biEnd);
  await Promise.all([
    untilServing({ name: 'the API', url: `${url}/readyz` }, stop, () => apiEnd),
    biServes?.catch((error: unknown) => logs.own.warn({ err: error }, 'BI tools cannot connect yet')),
  ]);
  stop.throwIfAborted();
  ready = true;
  await record();
  return url;
}
