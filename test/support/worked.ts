import { existsSync, openSync, readSync } from 'node:fs';

/**
 * Tells how many milliseconds the main thread of a process has worked. A busy machine makes nothing longer by them: the time
 * that the thread waited for a processor is not in them. Where the system does not tell them, it is the time that went by.
 */
export function watchWork(pid: number): () => number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  if (!existsSync(file)) return () => performance.now();
  const schedule = openSync(file, 'r');
  const text = Buffer.alloc(64);
  return () => parseInt(text.toString('latin1', 0, readSync(schedule, text, 0, text.length, 0)), 10) / 1e6;
}
