import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCopy, ROOT } from './copy.js';
import { readMutants, withSeed, type Mutant } from './patch-file.js';

/**
 * Plants the faults of `patches/` one by one, each in a copy of the project, and runs what notices them. Ends with status 1
 * when fewer than 90 % are noticed. A patch that does not fit the code any more is not, and has to be written anew.
 *
 *     npm run test:mutants -- [--only NAME] [--search N]
 *
 * `--search` looks through N histories for a seed that finds the fault, and writes it into the patch.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, search: { type: 'string' } } });
const PATCHES = join(ROOT, 'test', 'mutants', 'patches');
const WANTED = 0.9;
const TIMEOUT_MS = 600_000;
/** Histories from the seed of a patch on: any change of the service may shift what a seed decides. */
const HISTORIES = '300';
const MOCHA = ['node_modules/mocha/bin/mocha.js', '--no-config', '--extension', 'ts', '--exit'];
const SIMULATION = ['test/simulation/main.ts', '--seed'];

const copy = createCopy();

/** Whether what notices it did. */
function isNoticed({ path, noticedBy }: Mutant): boolean {
  if (noticedBy.kind === 'test') {
    const { status, output } = copy.node([...MOCHA, noticedBy.file], TIMEOUT_MS);
    // A test that could not run has noticed nothing.
    return status !== 0 && /^\s+[1-9]\d* failing$/m.test(output);
  }
  const { search } = values;
  const args = search === undefined ? [String(noticedBy.seed), '--histories', HISTORIES] : ['1', '--histories', search];
  const { status, output } = copy.node([...SIMULATION, ...args], TIMEOUT_MS);
  const found = /^repeat it: .* --seed (\d+)$/m.exec(output)?.[1];
  if (search !== undefined && found !== undefined)
    writeFileSync(path, withSeed(readFileSync(path, 'utf8'), Number(found)));
  return status === 1 && found !== undefined;
}

const mutants = readMutants(PATCHES).filter(({ name }) => values.only === undefined || name === values.only);
if (mutants.length === 0) throw new Error('there are no mutants');
let noticed = 0;
try {
  for (const mutant of mutants) {
    const found = copy.withPatch(mutant.path, () => (isNoticed(mutant) ? 'noticed' : 'MISSED '));
    if (found === 'noticed') noticed++;
    console.log(`${found ?? 'NO FIT '} ${mutant.name}: ${mutant.fault}`);
  }
} finally {
  copy.remove();
}
console.log(`${noticed} of ${mutants.length} planted faults were noticed`);
process.exitCode = noticed / mutants.length >= WANTED ? 0 : 1;
