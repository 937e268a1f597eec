import './world/globals.js';
import { parseArgs } from 'node:util';
import { runHistory, type HistoryPlan } from './history/run.js';

/**
 * Runs histories of the pipeline, each from one seed, and ends with status 1 at the first that fails:
 *
 *     npm run test:simulation -- [--seed N] [--histories N] [--minutes N] [--year]
 *
 * `--seed` is that of the first history; alone, it repeats one. `--minutes` ends the run after that time. `--year` runs
 * histories of one shop with 365 days and 10,000 pushes.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    histories: { type: 'string' },
    minutes: { type: 'string' },
    year: { type: 'boolean', default: false },
  },
});
const number = (name: 'seed' | 'histories' | 'minutes', usual: number): number => {
  const value = values[name] === undefined ? usual : Number(values[name]);
  if (Number.isNaN(value) || value < 0) throw new Error(`--${name} wants a number`);
  return value;
};
const YEAR: HistoryPlan = { shops: 1, pushes: 10_000, busyMs: 120_000, days: 365, orders: 4_000 };
const SECONDS_A_MINUTE = 60;

const first = number('seed', Math.floor(Math.random() * 2 ** 31));
const histories = number(
  'histories',
  values.year || (values.seed !== undefined && values.minutes === undefined) ? 1 : 2_000,
);
const seconds = number('minutes', Infinity) * SECONDS_A_MINUTE;
const repeat = (seed: number): string => `npm run test:simulation -- --seed ${seed}${values.year ? ' --year' : ''}`;
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const start = { cpu: cpuSeconds(), wall: process.hrtime.bigint() };
const wallSeconds = (): number => Number(process.hrtime.bigint() - start.wall) / 1e9;
console.log(`histories from seed ${first}`);
const total = { pushes: 0, events: 0, done: 0 };
for (let seed = first; seed < first + histories && wallSeconds() < seconds; seed++) {
  const { violations, troubles, pushes, events } = await runHistory(seed, values.year ? YEAR : undefined).catch(
    (error: unknown) => ({ violations: [String(error)], troubles: [], pushes: 0, events: 0 }),
  );
  total.done++;
  total.pushes += pushes;
  total.events += events;
  if (violations.length === 0) continue;
  console.error(`history ${total.done} is wrong (${troubles.join(', ') || 'no trouble'}):`);
  for (const line of violations.slice(0, 10)) console.error(`  ${line}`);
  console.error(`repeat it: ${repeat(seed)}`);
  process.exit(1);
}
if (total.done === 0) throw new Error('no history was run');
const cpu = cpuSeconds() - start.cpu;
const shopYears = total.pushes / YEAR.pushes / (cpu / SECONDS_A_MINUTE);
console.log(
  `${total.done} histories, ${total.pushes} pushes, ${total.events} events: no difference ` +
    `(${cpu.toFixed(1)} s of CPU, ${shopYears.toFixed(2)} shop-years of ${YEAR.pushes} pushes a minute on one core)`,
);
process.exit(0);
