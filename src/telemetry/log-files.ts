import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface LogFile {
  /** Appends text as it is. */
  write(text: string): void;
  close(): void;
}

/**
 * A log `NAME.log` in `folder`; when it has grown past `maxBytes` it becomes `NAME.1.log`, and so on up to `kept` old
 * ones. Writes are synchronous: what was written before a crash is there after it.
 */
export function openLogFile(folder: string, name: string, maxBytes = 10 * 1024 * 1024, kept = 4): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = (age: number) => join(folder, age === 0 ? `${name}.log` : `${name}.${age}.log`);
  const openNew = () => openSync(path(0), 'a', 0o600);
  let file = openNew();
  let size = fstatSync(file).size;

  const rotate = () => {
    const old = file;
    rmSync(path(kept), { force: true });
    for (let age = kept - 1; age >= 0; age--) {
      try {
        renameSync(path(age), path(age + 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    file = openNew();
    size = 0;
    closeSync(old);
  };
  return {
    write(text) {
      try {
        if (size > maxBytes) rotate();
        size += writeSync(file, text);
      } catch {
        // A full disk costs lines of the log, not the processes that wrote them.
      }
    },
    close: () => closeSync(file),
  };
}
