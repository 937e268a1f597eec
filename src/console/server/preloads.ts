import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const IMPORTS = /(?:from|import)"\.\/([^"]+\.js)"/g;

/**
 * The files of `folder` that a script of a page imports, and of those that it loads later the ones whose name begins so: named in the
 * document, they are asked for at once. Empty before the first build.
 */
export function preloadsOf(folder: string, script: string, later: readonly string[] = []): string[] {
  const names = new Set(namesIn(folder));
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name) || !names.has(name)) return;
    found.add(name);
    for (const [, file = ''] of readFileSync(join(folder, name), 'utf8').matchAll(IMPORTS)) add(file);
  };
  for (const name of [script, ...[...names].filter((one) => later.some((start) => one.startsWith(start)))]) add(name);
  return [...found].filter((name) => name !== script);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
