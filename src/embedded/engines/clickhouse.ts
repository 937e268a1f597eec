import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { BiRows } from '../../warehouse/bi/access.js';
import { bringUp } from './bring-up.js';
import { clickHouseQuery } from './clickhouse-query.js';
import { writeClickHouseFiles, type Clusters, type SessionSettings } from './clickhouse-config.js';
import type { ClickHouseUser } from './clickhouse-users.js';
import { follow, stoppable, type Engine, type EngineLog, type Exit, type Running } from './engine.js';
import { keptSecret, privateFolder } from '../../files.js';
import { sourceFile } from '../../paths.js';
import { keptPorts } from './remembered-ports.js';
import { freshProxyKey } from './proxy-key.js';
import { learnSettings, readKnownSettings } from './known-settings.js';
import { createWorkloads } from './workloads.js';

const SERVICE_USER = 'profit';
/** Stored parts are complete at any moment. A stop that takes longer than this waits for a client with an idle connection. */
const STOP_MS = 3_500;

export interface ClickHouseOptions {
  /** Folder of this engine alone: tables, logs, password, ports. Created when missing. */
  dataDir: string;
  /** 0 or absent: a free port, chosen once and kept in the folder. */
  httpPort?: number | undefined;
  /** A port of the native protocol besides it, as servers have one; closed when absent. */
  nativePort?: number | undefined;
  /** A loopback address; `127.0.0.1` when absent. */
  host?: string | undefined;
  log: EngineLog;
  /** Called when the engine ends without `stop` having been asked. */
  onExit?: ((exit: Exit) => void) | undefined;
  /** Users besides the service's own, read at the start alone: a change takes a restart of the engine. */
  biUsers?: readonly ClickHouseUser[] | undefined;
  /** Where the rows that BI users see are stored; in the tables of `profit` when absent. */
  rows?: BiRows | undefined;
  /** Clusters that the engine knows; none when absent. */
  clusters?: Clusters | undefined;
  /** Besides those of `clickhouse/server/users.d`; none when absent. */
  sessionSettings?: SessionSettings | undefined;
}

export interface RunningClickHouse extends Running {
  /** `http://127.0.0.1:PORT`, without user and password. */
  url: string;
  httpPort: number;
  username: string;
  password: string;
  /** For the proxy of BI tools; another one after each start. */
  proxyKey: string;
}

function launch(args: string[]): Engine {
  const script = sourceFile('embedded/engines/clickhouse-child.mjs');
  const child = spawn(process.execPath, [script, JSON.stringify(args)], {
    // A process group of its own, so that Ctrl-C reaches the parent alone, which stops everything in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // The engine needs nothing of the parent's environment; its time zone is always UTC.
    env: { TZ: 'UTC' },
  });
  return follow(child);
}

/**
 * Closes the terminal of an engine that is to end: once its main query is killed it asks for more, and reads the end of input. Not
 * before: it asks a terminal for its size, and one that is closed just then ended it at its start.
 */
function hangUp({ process: child }: Engine): void {
  if (child.connected) child.send('hang up');
}

/**
 * Starts the ClickHouse engine of the npm package chdb as a server on loopback, in a process of its own that dies with
 * this one. Resolves when it answers queries; takes about a second on an empty folder.
 * Throws when an asked port is taken, when another engine runs on the folder, and when the engine does not come up.
 */
export async function startClickHouse(options: ClickHouseOptions): Promise<RunningClickHouse> {
  const {
    log,
    host = '127.0.0.1',
    biUsers = [],
    rows = { database: 'profit' },
    clusters,
    sessionSettings = {},
  } = options;
  const dataDir = resolve(options.dataDir);
  await privateFolder(dataDir);
  const password = await keptSecret(join(dataDir, 'password'));
  const service = { username: SERVICE_USER, password };

  const start = (settings: readonly string[] | undefined) =>
    bringUp('ClickHouse', dataDir, { log }, async () => {
      const asked = { http: options.httpPort };
      const { http: httpPort } = await keptPorts(join(dataDir, 'ports.json'), asked, host, log);
      const at = {
        url: `http://${host.includes(':') ? `[${host}]` : host}:${httpPort}`,
        httpPort,
        ...service,
        proxyKey: await freshProxyKey(dataDir),
      };
      const users = settings === undefined ? [] : biUsers;
      const { nativePort } = options;
      const files = {
        dataDir,
        host,
        httpPort,
        nativePort,
        service,
        proxyKey: at.proxyKey,
        users,
        settings: settings ?? [],
        rows,
        clusters,
        sessionSettings,
      };
      const engine = launch(await writeClickHouseFiles(files));
      const answers = async () => (await clickHouseQuery(at, 'SELECT currentUser()', 2_000)) === SERVICE_USER;
      return { engine, at, answers };
    });
  const running = ({ engine, at }: Awaited<ReturnType<typeof start>>, onExit?: (exit: Exit) => void) => {
    const kill = "KILL QUERY WHERE user IN ('', 'default') ASYNC";
    const askToStop = () => {
      hangUp(engine);
      return clickHouseQuery(at, kill, 2_000).catch(() => engine.process.kill('SIGKILL'));
    };
    return { ...at, ...stoppable(engine, askToStop, STOP_MS, onExit) };
  };
  const settings = await readKnownSettings(dataDir);
  let launched = await start(settings);
  if (settings === undefined) {
    await learnSettings(dataDir, launched.at);
    // The profiles of users need the names of all settings.
    if (biUsers.length > 0) {
      await running(launched).stop();
      launched = await start(await readKnownSettings(dataDir));
    }
  }
  if (biUsers.length > 0) await createWorkloads(launched.at, biUsers);
  // Names of its tables are paths, and it looks whether there is such a file before it looks at the rights of the user.
  if (rows.database !== 'default') await clickHouseQuery(launched.at, 'DETACH DATABASE IF EXISTS default', 10_000);
  return running(launched, options.onExit);
}
