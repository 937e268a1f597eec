import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What the workers of a parallel run write, a line a file, and what {@link writeTimes} makes of it. */
const FOLDER = '.test-results';
const MEASURED = join(FOLDER, 'times.ndjson');
const REMEMBERED = 'test/times.json';
const TICKS_PER_SECOND = 100;
/** Of `/proc/PID/stat`, after the name: parent, then user and system time of the process and of children that have ended. */
const [PARENT, FIRST_TIME, LAST_TIME] = [1, 11, 14];

interface Measured {
  file: string;
  /** Seconds of wall clock and of CPU. */
  wall: number;
  cpu: number;
}

/** Seconds of CPU that this process and all below it have used: engines, services, browsers. Without `/proc` its own alone. */
function cpuSeconds(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
  const all = new Map<number, { parent: number; seconds: number }>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid);
    if (stat === undefined) continue;
    const ticks = stat.slice(FIRST_TIME, LAST_TIME + 1).reduce((sum, text) => sum + Number(text), 0);
    all.set(Number(pid), { parent: Number(stat[PARENT]), seconds: ticks / TICKS_PER_SECOND });
  }
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid)?.parent;
    return pid === process.pid || (parent !== undefined && isBelow(parent));
  };
  return [...all].reduce((sum, [pid, { seconds }]) => (isBelow(pid) ? sum + seconds : sum), 0);
}

function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // It has ended.
  }
}

/** Of this process: when the file before ended, and what had been used by then. */
let last = { at: 0, cpu: 0 };

/** Prints and keeps how long a file took since the one before in this process: CPU far below wall says that it waits. */
export function measureFile(path: string): void {
  const now = { at: performance.now() / 1000, cpu: cpuSeconds() };
  const measured: Measured = { file: relative('.', path), wall: now.at - last.at, cpu: now.cpu - last.cpu };
  last = now;
  console.log(`\n  ${measured.file}: ${measured.wall.toFixed(1)} s, ${measured.cpu.toFixed(1)} s of CPU`);
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(MEASURED, `${JSON.stringify(measured)}\n`);
}

export const forgetTimes = (): void => rmSync(MEASURED, { force: true });

/** The CPU seconds of all files; writes what is remembered with what was measured now, to be put in its place. */
export function writeTimes(): number {
  const lines = existsSync(MEASURED) ? readFileSync(MEASURED, 'utf8').trim().split('\n') : [];
  const measured = lines.map((line) => JSON.parse(line) as Measured);
  const times = new Map(Object.entries(JSON.parse(readFileSync(REMEMBERED, 'utf8')) as Record<string, number>));
  for (const { file, wall } of measured) times.set(file, Math.ceil(wall));
  const known = Object.fromEntries([...times].filter(([file]) => existsSync(file)).sort());
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'times.json'), `${JSON.stringify(known, null, 2)}\n`);
  return measured.reduce((sum, { cpu }) => sum + cpu, 0);
}
