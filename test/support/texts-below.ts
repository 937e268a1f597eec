import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Larger ones hold rows. */
const MAX_BYTES = 1_000_000;

/**
 * The text of every file below a folder that is small enough for a configuration or a log. Engines may be at work there: what
 * they take away or rename meanwhile is left out.
 */
export async function textsBelow(folder: string): Promise<string[]> {
  const entries = (await orGone(readdir(folder, { withFileTypes: true }))) ?? [];
  const texts = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return textsBelow(path);
      if (!entry.isFile() || ((await orGone(stat(path)))?.size ?? 0) >= MAX_BYTES) return [];
      return (await orGone(readFile(path, 'latin1'))) ?? [];
    }),
  );
  return texts.flat();
}

/** What is read of a path; undefined where nothing is there any more. */
async function orGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
