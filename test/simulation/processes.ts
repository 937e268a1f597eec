import { fork } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { HistoryPlan, HistoryResult } from './history/run.js';

/** The histories of one process: from `seed` on each `step`-th before `end`, while there is time. */
export interface Share {
  seed: number;
  step: number;
  end: number;
  /** Null: without an end. */
  seconds: number | null;
  plan: HistoryPlan | null;
}

/** What a process tells of a history that it has run. */
export interface ShareMessage extends HistoryResult {
  seed: number;
  /** What the process has used so far. */
  cpuSeconds: number;
}

export interface Shares extends Omit<Share, 'step'> {
  processes: number;
  /** Told of each history, in no order. */
  onHistory: (message: ShareMessage) => void;
  /** A process ended before its time; the seed is that of the history that it ran. */
  onDeath: (seed: number, how: string) => void;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/**
 * Runs histories in several processes, and gives the seconds of CPU that they used. They run one file that is built for them: as
 * modules, each translated by a loader, they took a fifth more of the CPU.
 */
export async function runShares({ processes, onHistory, onDeath, ...whole }: Shares): Promise<number> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'simulation-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'share.mjs');
  await build({
    entryPoints: [join(FOLDER, 'share.ts')],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: true,
    logLevel: 'error',
  });
  const run = (index: number): Promise<number> =>
    new Promise((resolve) => {
      let cpuSeconds = 0;
      const share: Share = { ...whole, seed: whole.seed + index, step: processes };
      let next = share.seed;
      const child = fork(program, [JSON.stringify(share)], {
        execArgv: ['--enable-source-maps'],
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      child.on('message', (message: ShareMessage) => {
        next = message.seed + processes;
        cpuSeconds = message.cpuSeconds;
        onHistory(message);
      });
      child.on('close', (code, signal) => {
        if (code !== 0) onDeath(next, signal ?? `status ${code}`);
        resolve(cpuSeconds);
      });
    });
  const used = await Promise.all(Array.from({ length: processes }, (_, index) => run(index)));
  return used.reduce((a, b) => a + b, 0);
}
