import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';

export interface ProcessesOptions {
  count: number;
  log: Logger;
}

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;
/** After running for this long a process counts as healthy, and its next restart is quick again. */
const CALM_MS = 30_000;

/**
 * Runs several processes that serve one port, from the same entry as this one. One that dies is started again while the
 * others go on; if the first ones never get to listen, this process ends with status 1. On SIGTERM or SIGINT all finish what
 * they have begun. When this process is killed, they end with it.
 */
export function runProcesses({ count, log }: ProcessesOptions): void {
  let isListening = false;
  let isStopping = false;
  let failures = 0;

  const start = (slot: number): void => {
    const worker = cluster.fork({ PROCESS_SLOT: String(slot) });
    const startedAt = performance.now();
    worker.once('listening', () => (isListening = true));
    worker.once('exit', (code, signal) => ended(worker, slot, startedAt, { code, signal }));
  };

  const ended = (
    { process: { pid } }: Worker,
    slot: number,
    startedAt: number,
    exit: { code: number; signal: string },
  ): void => {
    const left = Object.keys(cluster.workers ?? {}).length;
    if (isStopping) {
      if (left === 0) process.exit(0);
      return;
    }
    log.error({ pid, ...exit }, 'an API process ended');
    if (!isListening) process.exit(1); // the others end with this one
    if (performance.now() - startedAt > CALM_MS) failures = 0;
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures++);
    setTimeout(() => {
      if (!isStopping) start(slot);
    }, delay);
  };

  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {});
    if (workers.length === 0) process.exit(0);
    for (const worker of workers) worker?.process.kill('SIGTERM');
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  for (let slot = 1; slot <= count; slot++) start(slot);
  log.info({ processes: count }, 'API processes started');
}
