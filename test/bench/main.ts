import { parseArgs } from 'node:util';
import { accept } from './accept.js';
import { attacked } from './attacked.js';
import { bi } from './bi.js';
import { startContext } from './context.js';
import { collect } from './collect.js';
import { drain } from './drain.js';
import { meets, ratioTable, type Ratio } from './harness.js';
import { importMemory } from './import-memory.js';
import { metrics } from './metrics.js';
import { orderList } from './order-list.js';
import { restate } from './restate.js';
import { spend } from './spend.js';
import { status } from './status.js';

/**
 * The benchmark: `npm run bench [-- --only accept,metrics] [--quick] [--strict]`. Prints the ratios of the service to what the same
 * machine can do at best; ratios hold from machine to machine, absolute figures don't. With `--strict` a goal that is
 * missed ends it with exit code 1.
 */
const SECTIONS = [accept, drain, collect, spend, status, attacked, metrics, orderList, restate, bi, importMemory];
/** Those that need no history of millions of orders. */
const QUICK = [accept, drain, collect, spend];

const { values } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean' }, strict: { type: 'boolean' } },
});
const wanted = values.only?.split(',');
const unknown = wanted?.filter((name) => !SECTIONS.some((section) => section.name === name)) ?? [];
if (unknown.length > 0) {
  const known = SECTIONS.map(({ name }) => name).join(', ');
  throw new Error(`there is no part named ${unknown.join(', ')}; there are ${known}`);
}

const context = await startContext();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void context.stop().finally(() => process.exit(130)));
}
const ratios: Ratio[] = [];
try {
  for (const section of values.quick === true ? QUICK : SECTIONS) {
    if (wanted && !wanted.includes(section.name)) continue;
    console.error(`${section.name} …`);
    const found = await section.run(context);
    console.error(ratioTable(found));
    ratios.push(...found);
  }
} finally {
  await context.stop();
}
console.log(ratioTable(ratios));
if (values.strict && !ratios.every(meets)) process.exitCode = 1;
