/**
 * All static checks (`check:…` of package.json), as many side by side as there are cores, in their order there: the longest
 * first, so that of two cores one lints while the other does the rest. What a check prints is shown once it has ended. Ends with
 * status 1 where one of them failed.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { run } from './busy.mjs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const left = Object.keys(scripts).filter((name) => name.startsWith('check:'));

async function work() {
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const startedAt = performance.now();
    const { ok, output } = await run(['npm', 'run', '--silent', name], process.env);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${output}${name} ${ok ? 'passed' : 'FAILED'} (${seconds} s)`);
    if (!ok) process.exitCode = 1;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
