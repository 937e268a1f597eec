import { parseArgs } from 'node:util';
import { accept } from './accept.js';
import { analyst } from './analyst.js';
import { attacked } from './attacked.js';
import { bi } from './bi.js';
import { biYear } from './bi-year.js';
import { bystander } from './bystander.js';
import { startContext } from './context.js';
import { collect } from './collect.js';
import { drain } from './drain.js';
import { meets, ratioTable, type Ratio } from './harness.js';
import { imported } from './imported.js';
import { large } from './large.js';
import { lists } from './lists.js';
import { hugeMetrics, metrics } from './metrics.js';
import { oldYears } from './old-years.js';
import { past } from './past.js';
import { pixelTasks } from './pixel-tasks.js';
import { restate } from './restate.js';
import { restart } from './restart.js';
import { shards } from './shards.js';
import { spend } from './spend.js';
import { status } from './status.js';
import { fewTenants, tenants } from './tenants.js';
import { turnAgainst } from './turn.js';
import { workers } from './workers.js';

/**
 * The benchmark: `npm run bench [-- --only accept,metrics] [--quick] [--huge] [--strict]`. Prints the ratios of the service to
 * what the same machine can do at best; ratios hold from machine to machine, absolute figures don't. With `--strict` a goal that
 * is missed ends it with exit code 1. With `--against DIR`, the absolute path of an earlier commit with its node_modules, it holds the price of
 * a turn against that one.
 */
const SECTIONS = [
  accept,
  drain,
  tenants,
  workers,
  bystander,
  attacked,
  analyst,
  collect,
  spend,
  status,
  metrics,
  oldYears,
  lists,
  large,
  past,
  restate,
  restart,
  bi,
  biYear,
  imported,
  pixelTasks,
  shards,
];
/** Those that need no history of millions of orders, in fewer rounds. */
const QUICK = [accept, drain, fewTenants, analyst, collect, spend];
/** By hand: hours, and tens of gigabytes. */
const HUGE = [hugeMetrics];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    huge: { type: 'boolean' },
    strict: { type: 'boolean' },
    against: { type: 'string' },
  },
});
const usual = values.huge === true ? HUGE : values.quick === true ? QUICK : SECTIONS;
const sections = values.against === undefined ? usual : [turnAgainst(values.against)];
const wanted = values.only?.split(',');
const unknown = wanted?.filter((name) => !sections.some((section) => section.name === name)) ?? [];
if (unknown.length > 0) {
  const known = sections.map(({ name }) => name).join(', ');
  throw new Error(`there is no part named ${unknown.join(', ')}; there are ${known}`);
}

const context = await startContext(values.quick === true ? 2 : 5);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void context.stop().finally(() => process.exit(130)));
}
const ratios: Ratio[] = [];
try {
  for (const section of sections) {
    if (wanted && !wanted.includes(section.name)) continue;
    console.error(`${section.name} …`);
    const startedAt = performance.now();
    try {
      const found = await section.run(context);
      console.error(ratioTable(found));
      ratios.push(...found);
    } catch (error) {
      // The others take too long to lose what they found.
      console.error(error);
      process.exitCode = 1;
    }
    console.error(`${section.name}: ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
  }
} finally {
  await context.stop();
}
console.log(ratioTable(ratios));
if (values.strict && !ratios.every(meets)) process.exitCode = 1;
