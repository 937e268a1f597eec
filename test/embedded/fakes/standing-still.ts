import { spawnNode } from '../../../src/embedded/supervisor/node-service.js';

/** Starts a service that stands still once it is asked to stop, and writes its process id when it is ready. */
const standsStill = `process.on('SIGTERM', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  setInterval(() => undefined, 1_000);
  console.log('ready');`;
const service = spawnNode({
  command: ['--eval', standsStill],
  env: process.env,
  log: { write: () => console.log(JSON.stringify({ service: service.process.pid })), close: () => undefined },
});
