import { existsSync, openSync, readSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { openApi } from '../../src/composition/api.js';
import { openStores } from '../../src/composition/stores.js';
import { loadConfig } from '../../src/config.js';
import { createApp } from '../../src/http/app.js';
import { createExpressServer } from '../../src/http/server.js';

/** The API in a process of its own, which tells how long a step of its event loop was and what its heap holds. */
export type Question = 'step' | 'heap';

const config = loadConfig();
const stores = openStores(config);
const server = createExpressServer(
  createApp(openApi(config, stores), { log: pino({ level: config.logLevel }), trustedProxies: 0 }),
);

/**
 * Milliseconds that the thread of the event loop has worked. A busy machine makes nothing longer by them: the time that the
 * thread waited for a processor is not in them. Where the system does not tell them, it is the time that went by.
 */
const SCHEDULE = `/proc/self/task/${process.pid}/schedstat`;
const schedule = existsSync(SCHEDULE) ? openSync(SCHEDULE, 'r') : null;
const text = Buffer.alloc(64);
function workedMs(): number {
  if (schedule === null) return performance.now();
  return parseInt(text.toString('latin1', 0, readSync(schedule, text, 0, text.length, 0)), 10) / 1e6;
}

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
process.on('message', (question: Question) => process.send?.({ question, value: answer[question]() }));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
