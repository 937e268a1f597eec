import { Worker } from 'node:worker_threads';

/** Twice what the longest file takes on two busy cores. */
const MAX_MINUTES = 20;

/** In a thread of its own: it goes on where a test never gives up its turn, at which mocha's own limits never come. */
const WATCH = `
  const { writeSync } = require('node:fs');
  let timer;
  require('node:worker_threads').parentPort.on('message', (file) => {
    clearTimeout(timer);
    if (file === null) return;
    timer = setTimeout(() => {
      writeSync(2, file + ' did not end within ${MAX_MINUTES} minutes\\n');
      process.kill(process.pid, 'SIGKILL');
    }, ${MAX_MINUTES * 60_000});
  });`;

let watch: Worker | undefined;

/** Ends this process of a parallel run, with a line that names the file, when a file runs for too long; null: it has ended. */
export function watchFile(file: string | null): void {
  if (watch === undefined) {
    watch = new Worker(WATCH, { eval: true, execArgv: [] });
    watch.unref();
  }
  watch.postMessage(file);
}
