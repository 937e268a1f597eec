import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { runFaults } from './run.js';

/**
 * The running service under load while things go wrong, one after the other, as one seed decides:
 *
 *     npm run test:blackbox -- [--faults N] [--seed N] [--first N] [--shards N]
 *
 * Without `--seed` it is `FAULTS_SEED`, else a new one. `--first` begins with that fault of the seed instead of the first one. `--shards` are servers of ClickHouse that know each
 * other as a cluster, in place of a single one. Ends with status 1 at the first figure that is wrong.
 */
const { values } = parseArgs({
  options: {
    faults: { type: 'string' },
    seed: { type: 'string' },
    first: { type: 'string' },
    shards: { type: 'string' },
  },
});
const number = (name: keyof typeof values, usual: number): number => {
  const value = values[name] === undefined ? usual : Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} wants a number`);
  return value;
};
const seed = number('seed', Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31)));
const faults = number('faults', 10);
const first = number('first', 1);
const shards = number('shards', 1);
if (faults === 0 || first === 0) throw new Error('no fault was asked for');
if (shards === 0) throw new Error('no server was asked for');

const OWN_MOUNTS = 'PROFIT_OWN_MOUNTS';
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs this program again where it may mount a disk that nobody else sees, and that is gone with it. Null where that can't be.
 */
function runWithOwnMounts(): Promise<number> | null {
  if (process.platform !== 'linux' || process.env[OWN_MOUNTS] !== undefined) return null;
  const apart = ['--mount', '--map-root-user'];
  if (spawnSync('unshare', [...apart, 'true']).status !== 0) return null;
  const args = [...apart, process.execPath, ...process.execArgv, ...process.argv.slice(1), `--seed=${seed}`];
  const child = spawn('unshare', args, { stdio: 'inherit', env: { ...process.env, [OWN_MOUNTS]: '1' } });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  return once(child, 'exit').then(([code]) => (code as number | null) ?? 1);
}

/** Whoever ends this program ends what it has started. */
function runHere(): Promise<number> {
  for (const signal of SIGNALS) process.on(signal, () => process.exit(1));
  return runFaults({ seed, faults, first, shards });
}

process.exit(await (runWithOwnMounts() ?? runHere()));
