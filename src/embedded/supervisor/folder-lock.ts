import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DataType, load, open } from 'ffi-rs';

const EXCLUSIVE = 2;
const NON_BLOCKING = 4;

/** Another process holds the lock of the folder. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError';
  constructor(readonly folder: string) {
    super(`another process uses the folder ${folder}`);
  }
}

/** flock(2) of the C library, which Node does not offer: the kernel drops the lock with the process, however it ends. */
function flock(file: number, operation: number): number {
  open({ library: 'libc', path: process.platform === 'darwin' ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6' });
  return load({
    library: 'libc',
    funcName: 'flock',
    retType: DataType.I32,
    paramsType: [DataType.I32, DataType.I32],
    paramsValue: [file, operation],
  });
}

/**
 * Takes the folder for this process alone, until the returned function is called or the process ends.
 * Throws {@link FolderLockedError} when another process has it.
 */
export function lockFolder(folder: string): () => void {
  const release = tryLock(join(folder, 'lock'));
  if (release === undefined) throw new FolderLockedError(folder);
  return release;
}

/** Takes a lock file, made if need be, in the same way; undefined when another process has it. */
export function tryLock(path: string): (() => void) | undefined {
  const file = openSync(path, 'a', 0o600);
  if (flock(file, EXCLUSIVE | NON_BLOCKING) === 0) return () => closeSync(file);
  closeSync(file);
  return undefined;
}
