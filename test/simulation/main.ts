import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { HistoryPlan } from './history/run.js';
import { runShares } from './processes.js';

/**
 * Runs histories of the pipeline, each from one seed, and ends with status 1 at the first that fails:
 *
 *     npm run test:simulation -- [--seed N] [--histories N] [--minutes N] [--year] [--processes N]
 *
 * `--seed` is that of the first history; alone, it repeats one. `--minutes` ends the run after that time. `--year` runs
 * histories of one shop with 365 days and 10,000 pushes. `--processes` is how many share the seeds: one for each core.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    histories: { type: 'string' },
    minutes: { type: 'string' },
    processes: { type: 'string' },
    year: { type: 'boolean', default: false },
  },
});
const number = (name: 'seed' | 'histories' | 'minutes' | 'processes', usual: number): number => {
  const value = values[name] === undefined ? usual : Number(values[name]);
  if (Number.isNaN(value) || value < 0) throw new Error(`--${name} wants a number`);
  return value;
};
const YEAR: HistoryPlan = { shops: 1, pushes: 10_000, busyMs: 120_000, days: 365, orders: 4_000 };
const SECONDS_A_MINUTE = 60;

const seed = number('seed', Math.floor(Math.random() * 2 ** 31));
const histories = number(
  'histories',
  values.year || (values.seed !== undefined && values.minutes === undefined) ? 1 : 2_000,
);
const repeat = (of: number): string => `npm run test:simulation -- --seed ${of}${values.year ? ' --year' : ''}`;

/** Ends all processes: they have nobody to tell any more. */
function fail(of: number, what: string, lines: readonly string[]): never {
  console.error(what);
  for (const line of lines.slice(0, 10)) console.error(`  ${line}`);
  console.error(`repeat it: ${repeat(of)}`);
  process.exit(1);
}

console.log(`histories from seed ${seed}`);
const total = { pushes: 0, events: 0, done: 0 };
const cpuSeconds = await runShares({
  processes: Math.min(Math.max(1, number('processes', availableParallelism())), histories),
  seed,
  end: seed + histories,
  seconds: values.minutes === undefined ? null : number('minutes', 0) * SECONDS_A_MINUTE,
  plan: values.year ? YEAR : null,
  onHistory({ seed: of, violations, troubles, pushes, events }) {
    total.done++;
    total.pushes += pushes;
    total.events += events;
    if (violations.length === 0) return;
    fail(of, `history ${total.done} is wrong (${troubles.join(', ') || 'no trouble'}):`, violations);
  },
  onDeath: (of, how) => fail(of, `a process died in a history (${how})`, []),
});
if (total.done === 0) throw new Error('no history was run');
const shopYears = total.pushes / YEAR.pushes / (cpuSeconds / SECONDS_A_MINUTE);
console.log(
  `${total.done} histories, ${total.pushes} pushes, ${total.events} events: no difference ` +
    `(${cpuSeconds.toFixed(1)} s of CPU, ${shopYears.toFixed(2)} shop-years of ${YEAR.pushes} pushes a minute on one core)`,
);
