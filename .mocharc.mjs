import { readdirSync, readFileSync } from 'node:fs';

/** On two cores: some files wait for processes and clocks while others compute. */
const JOBS = 4;
/** What `npm test` may take: as many files as fit, the shortest first. `npm test -- --all` runs every file. */
const SECONDS = process.argv.includes('--all') ? Infinity : 4 * 60;
/** Of a file whose time is not remembered yet. */
const UNKNOWN = 5;

const remembered = JSON.parse(readFileSync('test/times.json', 'utf8'));
const seconds = (file) => remembered[file] ?? UNKNOWN;
let left = JOBS * SECONDS;

export default {
  'node-option': ['import=tsx'],
  extension: ['ts'],
  // One queue, the longest first, so that no long file is left for a single worker at the end.
  spec: readdirSync('test', { recursive: true })
    .map((path) => `test/${path}`)
    .filter((file) => file.endsWith('.test.ts'))
    .sort((a, b) => seconds(a) - seconds(b))
    .filter((file) => (left -= seconds(file)) >= 0)
    .reverse(),
  require: ['test/support/root-hooks.ts'],
  reporter: 'test/support/reporter.ts',
  parallel: true,
  jobs: JOBS,
  timeout: 600_000,
  exit: false,
};
