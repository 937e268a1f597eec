import { existsSync, openSync, readFileSync, readSync } from 'node:fs';

const OWN_SCHEDULE = `/proc/${process.pid}/task/${process.pid}/schedstat`;

/**
 * Tells how many milliseconds have gone by for this process: not those that its main thread waited for a processor which others
 * had. So a wait of the service, which runs in the process of the test, is as long on a busy machine as on any.
 */
export function ownTime(): number {
  const waited = existsSync(OWN_SCHEDULE) ? Number(readFileSync(OWN_SCHEDULE, 'latin1').split(' ')[1]) / 1e6 : 0;
  return performance.now() - waited;
}

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

/** The work of {@link slowness} on the machine for which the bounds of tests were chosen. */
const USUAL_MS = 80;

/** How many times slower the processors are than those for which the bounds of work were chosen; at least 1. */
export function slowness(): number {
  const worked = watchWork(process.pid);
  const line = { line_id: '1', quantity: '1', unit_price: '10.50' };
  const text = JSON.stringify(Array.from({ length: 2_000 }, (_, i) => ({ order_id: String(i), line_items: [line] })));
  const begun = worked();
  for (let i = 0; i < 20; i++) JSON.stringify(JSON.parse(text));
  return Math.max(1, (worked() - begun) / USUAL_MS);
}
