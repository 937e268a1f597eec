import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = ['src', 'workers', 'pixel', 'clickhouse', 'test', 'package.json', 'tsconfig.json'];

export interface Run {
  status: number | null;
  output: string;
}

/** A copy of the project that may be broken. */
export interface Copy {
  /** Plants the fault of a patch, runs what is given, and takes the fault out again. Null where it does not fit any more. */
  withPatch<T>(path: string, run: () => T): T | null;
  /** Runs a program of Node in the copy. */
  node(args: readonly string[], timeoutMs: number): Run;
  remove(): void;
}

export function createCopy(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const apply = (path: string, ...options: string[]): boolean =>
    spawnSync('git', ['apply', ...options, path], { cwd: folder }).status === 0;
  return {
    withPatch(path, run) {
      if (!apply(path)) return null;
      try {
        return run();
      } finally {
        apply(path, '--reverse');
      }
    },
    node(args, timeout) {
      const env = { ...process.env, NODE_OPTIONS: '--import=tsx' };
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: folder,
        env,
        timeout,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      return { status, output: stdout + stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
