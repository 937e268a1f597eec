import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Creates a folder that only its owner can enter. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

/** Writes a file that only its owner can read; readers see the old text or the new, never a part. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(fresh, text, { mode: 0o600 });
    await rename(fresh, path);
  } catch (error) {
    // While a disk is full this is tried over and over.
    await rm(fresh, { force: true });
    throw error;
  }
}

/** The text of a file, or undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The secret kept in a file (48 hex digits): made on first use, the same ever after. */
export async function keptSecret(path: string): Promise<string> {
  const kept = (await readIfThere(path))?.trim();
  if (kept) return kept;
  const fresh = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(fresh, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  try {
    await link(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(fresh, { force: true });
  }
  return (await readFile(path, 'utf8')).trim();
}

/** Makes a rename in the folder safe against a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
