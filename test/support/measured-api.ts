import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { composeApi } from '../../src/composition/api.js';
import { openPages } from '../../src/composition/console.js';
import { openStores } from '../../src/composition/stores.js';
import { loadConfig } from '../../src/config.js';
import { createApp } from '../../src/http/app.js';
import { createExpressServer } from '../../src/http/server.js';
import { watchWork } from './worked.js';

/** The API in a process of its own, which tells how long a step of its event loop was and what its heap holds. */
export type Question = 'step' | 'heap';

const config = loadConfig();
const stores = openStores(config);
const deps = composeApi(config, stores);
const server = createExpressServer(
  createApp(deps, {
    log: pino({ level: config.logLevel }),
    trustedProxies: 0,
    pages: openPages(config, stores, deps),
  }),
);

const workedMs = watchWork(process.pid);
let longest = 0;
let last = workedMs();
setInterval(() => {
  const now = workedMs();
  longest = Math.max(longest, now - last);
  last = now;
}, 1);

const answer: Record<Question, () => number> = {
  /** Milliseconds of the longest step since the question was asked last: nobody else was served meanwhile. */
  step() {
    const answer = longest;
    longest = 0;
    return answer;
  },
  /** Bytes that nothing can be freed of: of objects, and of buffers outside of the heap. */
  heap() {
    if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};
process.once('disconnect', () => process.exit());
process.on('message', (question: Question) => process.send?.({ question, value: answer[question]() }));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
