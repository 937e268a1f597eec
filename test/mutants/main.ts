import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCopy, ROOT } from './copy.js';
import { readMutants, withSeed, type Mutant } from './patch-file.js';

/**
 * Plants the faults of `patches/` one by one, each in a copy of the project, and runs what notices them. Ends with status 1
 * when fewer than 90 % are noticed. A patch that does not fit the code any more is not, and has to be written again; nor is one
 * whose test fails without the fault, or runs out of time.
 *
 *     npm run test:mutants -- [--only NAME,…] [--search N]
 *
 * `--search` looks through N histories for a seed that finds the fault, and writes it into the patch.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, search: { type: 'string' } } });
const PATCHES = join(ROOT, 'test', 'mutants', 'patches');
const WANTED = 0.9;
const TIMEOUT_MS = 600_000;
/** Histories from the seed of a patch on: any change of the service may shift what a seed decides. */
const HISTORIES = '300';
const MOCHA = ['node_modules/mocha/bin/mocha.js', '--no-config', '--extension', 'ts', '--exit'].concat(
  ['--require', 'test/support/root-hooks.ts'],
  ['--timeout', '240000'],
);
const SIMULATION = ['test/simulation/main.ts', '--seed'];

const copy = createCopy();

type Outcome = 'noticed' | 'MISSED' | 'NO FIT' | 'FAILS WITHOUT IT' | 'OUT OF TIME';

const healthy = new Map<string, boolean>();
/** Whether a test passes without a fault: else it would notice any. */
function isHealthy(file: string): boolean {
  const known = healthy.get(file) ?? copy.node([...MOCHA, file], TIMEOUT_MS).status === 0;
  healthy.set(file, known);
  return known;
}

/** What became of the fault that is planted. */
function outcomeOf({ path, noticedBy }: Mutant): Outcome {
  if (noticedBy.kind === 'test') {
    const { status, output } = copy.node([...MOCHA, noticedBy.file], TIMEOUT_MS);
    if (status === null) return 'OUT OF TIME';
    // A test that could not run has noticed nothing.
    return status !== 0 && /^\s+[1-9]\d* failing$/m.test(output) ? 'noticed' : 'MISSED';
  }
  const { search } = values;
  const args = search === undefined ? [String(noticedBy.seed), '--histories', HISTORIES] : ['1', '--histories', search];
  const { status, output } = copy.node([...SIMULATION, ...args], TIMEOUT_MS);
  const found = /^repeat it: .* --seed (\d+)$/m.exec(output)?.[1];
  if (search !== undefined && found !== undefined)
    writeFileSync(path, withSeed(readFileSync(path, 'utf8'), Number(found)));
  if (status === null) return 'OUT OF TIME';
  return status === 1 && found !== undefined ? 'noticed' : 'MISSED';
}

function tryOut(mutant: Mutant): Outcome {
  const { noticedBy } = mutant;
  if (noticedBy.kind === 'test' && !isHealthy(noticedBy.file)) return 'FAILS WITHOUT IT';
  return copy.withPatch(mutant.path, () => outcomeOf(mutant)) ?? 'NO FIT';
}

const only = values.only?.split(',');
const mutants = readMutants(PATCHES).filter(({ name }) => only?.includes(name) ?? true);
if (mutants.length === 0) throw new Error('there are no mutants');
let noticed = 0;
try {
  for (const mutant of mutants) {
    const outcome = tryOut(mutant);
    if (outcome === 'noticed') noticed++;
    console.log(`${outcome} ${mutant.name}: ${mutant.fault}`);
  }
} finally {
  copy.remove();
}
console.log(`${noticed} of ${mutants.length} planted faults were noticed`);
process.exitCode = noticed / mutants.length >= WANTED ? 0 : 1;
