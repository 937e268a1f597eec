import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { clickHouseQuery, type ClickHouseAddress } from './clickhouse-query.js';
import { writeClickHouseFiles } from './clickhouse-config.js';
import type { ClickHouseUser } from './clickhouse-users.js';
import { follow, untilReady, within, type Engine, type EngineLog, type Exit } from './engine.js';
import { keptSecret, privateFolder } from './files.js';
import { keptPorts } from './kept-ports.js';

const serviceUser = 'profit';
const startMs = 60_000;
/** Stored parts are whole at any moment: what takes longer than this is a client with an idle connection. */
const stopMs = 3_500;

export interface ClickHouseOptions {
  /** Folder of this engine alone: tables, logs, password, ports. Created when missing. */
  dataDir: string;
  /** 0 or absent: a free port, chosen once and kept in the folder. */
  httpPort?: number | undefined;
  tcpPort?: number | undefined;
  /** A loopback address; `127.0.0.1` when absent. */
  host?: string | undefined;
  log: EngineLog;
  /** Called when the engine ends without `stop` having been asked. */
  onExit?: ((exit: Exit) => void) | undefined;
  /** Users beside the service's own, read at the start alone: a change takes a restart of the engine. */
  biUsers?: readonly ClickHouseUser[] | undefined;
}

export interface RunningClickHouse {
  /** `http://127.0.0.1:PORT`, without user and password. */
  url: string;
  httpPort: number;
  tcpPort: number;
  username: string;
  password: string;
  pid: number;
  /** Ends the engine cleanly, or by force when it does not end in time. */
  stop(): Promise<void>;
}

function launch(args: string[]): Engine {
  const script = fileURLToPath(new URL('./clickhouse-child.mjs', import.meta.url));
  return follow(
    spawn(process.execPath, [script, JSON.stringify(args)], {
      // A process group of its own: Ctrl-C of the terminal reaches the parent alone, which orders the shutdown.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Nothing of the parent's environment concerns the engine; its time zone is UTC wherever it runs.
      env: { TZ: 'UTC' },
    }),
  );
}

/**
 * Starts the ClickHouse engine of the npm package chdb as a server on loopback, in a process of its own that dies with
 * this one. Resolves when it answers queries; takes about a second on an empty folder.
 * Throws when an asked port is taken, when another engine runs on the folder, and when the engine does not come up.
 */
export async function startClickHouse(options: ClickHouseOptions): Promise<RunningClickHouse> {
  const { log } = options;
  const host = options.host ?? '127.0.0.1';
  const dataDir = resolve(options.dataDir);
  await privateFolder(dataDir);
  const password = await keptSecret(join(dataDir, 'password'));

  for (let attempt = 1; ; attempt++) {
    const asked = { http: options.httpPort, tcp: options.tcpPort };
    const ports = await keptPorts(join(dataDir, 'ports.json'), asked, host, log);
    const at = {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${ports.http}`,
      username: serviceUser,
      password,
    };
    const args = await writeClickHouseFiles({
      ...{ dataDir, host, httpPort: ports.http, tcpPort: ports.tcp },
      service: { name: serviceUser, password },
      users: options.biUsers ?? [],
    });
    const engine = launch(args);
    const answers = () =>
      clickHouseQuery(at, 'SELECT currentUser()', 2_000).then(
        (user) => user === serviceUser,
        () => false,
      );
    const ready = await untilReady(engine, answers, startMs).catch((error: unknown) => {
      engine.process.kill('SIGKILL');
      throw new Error('ClickHouse did not start', { cause: error });
    });
    if (ready) return running(engine, { ...at, httpPort: ports.http, tcpPort: ports.tcp }, options.onExit);
    const output = engine.lastWords();
    // A port lost to somebody else since it was chosen, or a killed predecessor that still holds the folder.
    const passing = /Address already in use|Cannot lock file/.test(output);
    if (!passing || attempt === 4) throw new Error(`ClickHouse ended at its start: ${output}`);
    log.warn({ attempt, output }, 'ClickHouse ended at its start: trying again');
    await sleep(500);
  }
}

function running(
  engine: Engine,
  at: ClickHouseAddress & { httpPort: number; tcpPort: number },
  onExit: ClickHouseOptions['onExit'],
): RunningClickHouse {
  let stopping: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const kill = "KILL QUERY WHERE user IN ('', 'default') ASYNC";
    await clickHouseQuery(at, kill, 2_000).catch(() => engine.process.kill('SIGKILL'));
    if (!(await within(engine.exited, stopMs))) engine.process.kill('SIGKILL');
    await engine.exited;
  };
  void engine.exited.then((exit) => {
    if (!stopping) onExit?.(exit);
  });
  return { ...at, pid: engine.process.pid ?? 0, stop: () => (stopping ??= end()) };
}
