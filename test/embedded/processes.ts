import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A script of `test/embedded/fakes` that runs beside the test. */
export interface Script {
  process: ChildProcess;
  pid: number;
  /** Both streams so far. */
  output(): string;
  /** Settles with the exit status, null after a signal. */
  exited: Promise<number | null>;
}

/** Starts a script of `fakes` with exactly these variables beside PATH. */
export function runScript(name: string, env: Record<string, string>, ...args: string[]): Script {
  const path = fileURLToPath(new URL(`fakes/${name}`, import.meta.url));
  const child = spawn(process.execPath, [...(name.endsWith('.ts') ? ['--import', 'tsx'] : []), path, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { process: child, pid: child.pid ?? 0, output: () => output, exited };
}

/** Waits until `condition` yields something other than false and undefined. Throws after `ms`. */
export async function until<T>(what: string, condition: () => T | Promise<T>, ms = 240_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + ms; Date.now() < end;) {
    await sleep(30);
    const value = await condition();
    if (value !== false && value !== undefined && value !== null) return value;
  }
  throw new Error(`not within ${ms} ms: ${what}`);
}

/** Stops a process where it is. Its threads stop one by one, so on a busy machine it answers for moments more. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const tasks = `/proc/${pid}/task`;
  const isStopped = (task: string) => /^State:\s+T/m.test(readFileSync(`${tasks}/${task}/status`, 'utf8'));
  await until(
    `every thread of ${pid} is stopped`,
    () => process.platform !== 'linux' || readdirSync(tasks).every(isStopped),
  );
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie has ended: only its parent has not asked yet.
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Every process with its parent and command line. */
export function allProcesses(): { pid: number; parent: number; command: string }[] {
  const listed = execFileSync('ps', ['-axwwo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** What a process was started with, as `NAME=value` and NUL bytes; empty where the system does not show it. */
export function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/** Processes whose command line names the folder or, where the system shows it, their environment or working folder. */
export function processesOf(folder: string): number[] {
  const environment = (pid: number) => {
    try {
      return environmentOf(pid) + readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return '';
    }
  };
  return allProcesses()
    .filter(({ pid }) => pid !== process.pid)
    .filter(({ pid, command }) => command.includes(folder) || environment(pid).includes(folder))
    .map(({ pid }) => pid)
    .filter(isAlive);
}

/** A temporary folder for the length of `use`. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'profit-embedded-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const result = await use(folder).catch(async (error: unknown) => {
    // Processes that a failed test left may still write there: its own error is the one to show.
    await remove().catch(() => undefined);
    throw error;
  });
  await remove();
  return result;
}
