/**
 * Makes a bare machine ready: npm packages, Redis, and with `--test` a Chromium for the browser tests. Needs nothing but
 * Node itself, and costs a few milliseconds when everything is there.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, installProgram, isDebian, programs, run } from './programs.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const oldestNode = [20, 19];

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** Whether the installed packages are those of the lock file, by npm's own record of what it installed. */
function installedMatches(lockText) {
  const record = read(join(root, 'node_modules', '.package-lock.json'));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages ?? {};
  return Object.entries(JSON.parse(lockText).packages).every(([path, { version, optional, peer }]) => {
    const there = installed[path];
    return path === '' || (there ? there.version === version : optional || peer);
  });
}

/** Installs the packages of the lock file unless they are there; a stamp spares the comparison the next time. */
function npmPackages(env, say) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(root, 'node_modules', '.profit-setup');
  const wanted = createHash('sha256').update(lockText).digest('hex');
  if (read(stamp) === wanted) return true;
  if (!installedMatches(lockText)) {
    say('installing npm packages');
    const npm = env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, env.npm_execpath] : ['npm'];
    if (!run([...npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], env, root)) return false;
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(stamp, wanted);
  return true;
}

/**
 * Installs what is missing.
 * @param {{ test?: boolean, packagesOnly?: boolean, env: NodeJS.ProcessEnv, say?: (line: string) => void }} options `test`:
 *   also what the tests need. `packagesOnly`: no programs. `say` gets a line for each thing that is installed; standard error when absent.
 * @returns {string[]} what could not be done and what to do about it, a sentence each; empty when all is ready
 */
export function setUp({ test = false, packagesOnly = false, env, say = (line) => console.error(`setup: ${line}`) }) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    return [`Node ${process.versions.node} is too old: install Node ${oldestNode.join('.')} or newer.`];
  }
  const problems = [];
  if (!npmPackages(env, say)) problems.push('npm ci failed (its output is above): check the network, then try again.');
  const wanted = [];
  if (test || (!packagesOnly && !env.REDIS_URL)) wanted.push('redis');
  if (test) wanted.push('chromium');
  if (test && isDebian()) wanted.push('clickhouseClient', 'clickhouseDriver');
  for (const key of wanted) {
    if (findProgram(programs[key].names, env) || installProgram(key, env, say)) continue;
    problems.push(`${key} is missing and could not be installed here: ${programs[key].byHand}.`);
  }
  return problems;
}

/** {@link setUp} for a command: says what is wrong and ends the process with status 1. */
export function setUpOrExit(options) {
  const problems = setUp(options);
  for (const problem of problems) console.error(`setup: ${problem}`);
  if (problems.length > 0) process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setUpOrExit({ test: process.argv.includes('--test'), env: process.env });
}
