/**
 * Makes a bare machine ready: npm packages, Redis, and with `--test` a Chromium for the browser tests. Needs nothing but
 * Node itself, and costs a few milliseconds when everything is there.
 */
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { busy, run } from './busy.mjs';
import { findProgram, installProgram, isDebian, programs } from './programs.mjs';

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

/**
 * Installs the packages of the lock file unless they are there; a stamp spares the comparison the next time. What npm
 * printed when that failed, else nothing. `after` names what is installed after them.
 */
async function npmPackages(env, after) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(root, 'node_modules', '.profit-setup');
  const wanted = createHash('sha256').update(lockText).digest('hex');
  if (read(stamp) === wanted) return undefined;
  return alone(() => install(env, lockText, { stamp, wanted, after }));
}

/**
 * Waits until no other process installs here: a command that is typed while the first start still installs would take its
 * packages away.
 */
async function alone(work) {
  const lock = join(root, '.installing');
  const own = `${lock}.${process.pid}`;
  // Linked rather than written in place, so that no one reads a lock without its holder.
  writeFileSync(own, String(process.pid));
  for (;;) {
    try {
      linkSync(own, lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(read(lock));
      if (holder > 0 && isAlive(holder)) await busy('waiting for another set-up', () => untilGone(holder, lock));
      else rmSync(lock, { force: true });
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
    rmSync(own, { force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function untilGone(pid, lock) {
  while (isAlive(pid) && read(lock) === String(pid)) await sleep(100);
}

async function install(env, lockText, { stamp, wanted, after }) {
  if (read(stamp) === wanted) return undefined;
  if (!installedMatches(lockText)) {
    const npm = env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, env.npm_execpath] : ['npm'];
    const ci = [...npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const { ok, output } = await busy(`installing npm packages${after}`, () => run(ci, env, root));
    if (!ok) return output;
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(stamp, wanted);
  return undefined;
}

/**
 * Installs what is missing, and shows on standard error that it is at work.
 * @param {{ test?: boolean, packagesOnly?: boolean, env: NodeJS.ProcessEnv }} options `test`: also what the tests need.
 *   `packagesOnly`: no programs.
 * @returns {Promise<string[]>} what could not be done and what to do about it, a paragraph each; empty when all is ready
 */
export async function setUp({ test = false, packagesOnly = false, env }) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    return [`Node ${process.versions.node} is too old: install Node ${oldestNode.join('.')} or newer.`];
  }
  const wanted = [];
  if (test || (!packagesOnly && !env.REDIS_URL)) wanted.push('redis');
  if (test) wanted.push('chromium');
  if (test && isDebian()) wanted.push('clickhouseClient', 'clickhouseDriver', 'prometheus');
  const missing = wanted.filter((key) => findProgram(programs[key].names, env) === undefined);
  const after = (done) => (done < missing.length ? `, then ${missing.slice(done).join(', ')}` : '');
  const problems = [];
  const failed = await npmPackages(env, after(0));
  if (failed !== undefined) problems.push(`${failed.trim()}\nnpm ci failed: check the network, then try again.`);
  for (const [i, key] of missing.entries()) {
    const output = await installProgram(key, env, after(i + 1));
    if (output === undefined) continue;
    problems.push(
      `${output.trim()}\n${key} is missing and could not be installed here: ${programs[key].byHand}.`.trim(),
    );
  }
  return problems;
}

/** {@link setUp} for a command: says what is wrong and ends the process with status 1. */
export async function setUpOrExit(options) {
  const problems = await setUp(options);
  for (const problem of problems) console.error(`setup: ${problem}`);
  if (problems.length > 0) process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await setUpOrExit({ test: process.argv.includes('--test'), env: process.env });
}
