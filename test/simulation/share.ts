import './world/globals.js';
import { runHistory } from './history/run.js';
import type { Share, ShareMessage } from './processes.js';

/** One process of `runShares`: runs its share of the histories, and tells the parent of each. */
const { seed: first, step, end, seconds, plan } = JSON.parse(process.argv[2] ?? '') as Share;

const tell = (message: ShareMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) throw new Error('nobody listens: start it by main.ts');
    process.send(message, () => resolve());
  });

const start = process.hrtime.bigint();
const isTimeLeft = (): boolean => seconds === null || Number(process.hrtime.bigint() - start) / 1e9 < seconds;
// Nobody listens any more.
process.on('disconnect', () => process.exit(1));
for (let seed = first; seed < end && isTimeLeft(); seed += step) {
  const result = await runHistory(seed, plan ?? undefined).catch((error: unknown) => ({
    violations: [String(error)],
    troubles: [],
    pushes: 0,
    events: 0,
  }));
  const { user, system } = process.cpuUsage();
  await tell({ ...result, seed, cpuSeconds: (user + system) / 1e6 });
}
process.exit(0);
