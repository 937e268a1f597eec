import { readFileSync, rmSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { writePrivate } from '../../files.js';

/** Where the parts of a running service are; `runtime.json` of its data folder, readable by its owner alone. */
export interface Runtime {
  /** Process that supervises the others. */
  pid: number;
  /** UTC, RFC 3339. */
  startedAt: string;
  /** Address of the API, such as `http://127.0.0.1:3000`. */
  url: string;
  /** With user and password. Ports and `pid` only where the engine is the embedded one. */
  clickhouse: { url: string; httpPort?: number; pid?: number };
  /** Where BI tools reach the embedded engine; absent where another server is used. */
  bi?: { port: number; pid: number };
  /** With password. `port` and `pid` only where the engine is the embedded one. */
  redis: { url: string; port?: number; pid?: number };
  /** Addresses at which the API and the worker tell their metrics. */
  metrics?: { api: string; worker: string };
  api: { pid: number };
  worker: { pid: number };
}

const path = (dataDir: string): string => join(dataDir, 'runtime.json');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The running service of a data folder; undefined when none is ready there, which includes what a killed one left behind.
 * Throws when the file is there and can't be read.
 */
export function readRuntime(dataDir: string): Runtime | undefined {
  let text: string;
  try {
    text = readFileSync(path(dataDir), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const runtime = JSON.parse(text) as Runtime;
  const bootedAt = Date.now() - uptime() * 1_000;
  // Before the machine's last start the process number belonged to somebody else.
  return Date.parse(runtime.startedAt) < bootedAt - 5_000 || !isAlive(runtime.pid) ? undefined : runtime;
}

export interface RuntimeFile {
  /** Replaces the file; calls are carried out in their order. */
  save: (runtime: Runtime) => Promise<void>;
  /** Removes it, after which nothing is saved any more. */
  remove(): Promise<void>;
}

/** The `runtime.json` of a data folder, for the supervisor that holds the folder. */
export function openRuntimeFile(dataDir: string): RuntimeFile {
  let last: Promise<void> = Promise.resolve();
  let removed = false;
  return {
    save(runtime) {
      const text = `${JSON.stringify(runtime, null, 2)}\n`;
      last = last.catch(() => undefined).then(() => (removed ? undefined : writePrivate(path(dataDir), text)));
      return last;
    },
    async remove() {
      removed = true;
      await last.catch(() => undefined);
      rmSync(path(dataDir), { force: true });
    },
  };
}
