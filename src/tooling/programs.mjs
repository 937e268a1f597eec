/** Finds installed programs, and installs missing ones with the machine's package manager. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { busy, run } from './busy.mjs';

/**
 * The first of `names` that can be run: names are looked up on PATH, absolute paths taken as they are. A Python module need
 * not be runnable.
 * @param {readonly string[]} names
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} the path found
 */
export function findProgram(names, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const name of names) {
    const paths = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
    for (const path of paths) {
      try {
        accessSync(path, path.endsWith('.py') ? constants.R_OK : constants.X_OK);
        return path;
      } catch {
        continue;
      }
    }
  }
  return undefined;
}

/** Debian itself: Ubuntu packages some programs otherwise, or not at all. */
export const isDebian = () => {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID=debian$/m.test(release);
};

/** `apt-get` with the rights it needs; undefined where they can't be had. */
function aptGet(env) {
  const apt = findProgram(['apt-get'], env);
  if (apt === undefined) return undefined;
  if (process.getuid?.() === 0) return [apt];
  const sudo = findProgram(['sudo'], env);
  if (sudo === undefined) return undefined;
  // The password is asked for before anything else is shown; without a terminal no one could type it.
  if (process.stdin.isTTY) spawnSync(sudo, ['-v'], { stdio: 'inherit', env });
  return [sudo, '-n', apt];
}

/**
 * What the service and its tests need besides npm packages. `names` are the programs, any of which will do.
 * @type {Record<string, { names: string[], apt: string, brew: string[], byHand: string }>}
 */
export const programs = {
  redis: {
    names: ['redis-server', 'valkey-server', '/opt/homebrew/bin/redis-server', '/usr/local/bin/redis-server'],
    apt: 'redis-server',
    brew: ['install', 'redis'],
    byHand:
      'install Redis 7 or Valkey so that redis-server or valkey-server is on the PATH, or set REDIS_URL to a server',
  },
  chromium: {
    names: [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    apt: 'chromium',
    brew: ['install', '--cask', 'google-chrome'],
    byHand: 'install Chromium or Chrome so that chromium or google-chrome is on the PATH',
  },
  // Clients of the native protocol, as analysts have them; the tests use them on Debian alone.
  clickhouseClient: {
    names: ['clickhouse-client'],
    apt: 'clickhouse-client',
    brew: ['install', '--cask', 'clickhouse'],
    byHand: 'install the Debian package clickhouse-client',
  },
  clickhouseDriver: {
    names: ['/usr/lib/python3/dist-packages/clickhouse_driver/__init__.py'],
    apt: 'python3-clickhouse-driver',
    brew: [],
    byHand: 'install the Debian package python3-clickhouse-driver',
  },
  // Prometheus with promtool, for the tests of alerts and dashboard on Debian.
  prometheus: {
    names: ['promtool'],
    apt: 'prometheus',
    brew: ['install', 'prometheus'],
    byHand: 'install the Debian package prometheus',
  },
};

/** @type {boolean} the package lists are fetched once, however many programs are missing */
let updated = false;

/**
 * Installs a program of {@link programs} with apt-get or Homebrew.
 * @param {'redis' | 'chromium' | 'clickhouseClient' | 'clickhouseDriver' | 'prometheus'} key
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [after] what is installed after it, such as `, then chromium`
 * @returns {Promise<string | undefined>} nothing when it can be found now, else what the installer printed
 */
export async function installProgram(key, env, after = '') {
  const { names, apt, brew } = programs[key];
  const aptCommand = aptGet(env);
  const brewProgram = findProgram(['brew', '/opt/homebrew/bin/brew', '/usr/local/bin/brew'], env);
  // On Ubuntu the package of this name is a pointer to a snap, which a container can't run.
  const aptHasIt = key !== 'chromium' || isDebian();
  let output = '';
  if (aptCommand && aptHasIt) {
    const quiet = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
    output = await busy(`installing ${apt} with apt-get${after}`, async () => {
      const lists = updated ? undefined : await run([...aptCommand, 'update', '-qq'], quiet);
      updated ||= lists?.ok === true;
      const install = [...aptCommand, 'install', '-y', '-qq', '--no-install-recommends', apt];
      return (lists?.output ?? '') + (await run(install, quiet)).output;
    });
  } else if (brewProgram) {
    ({ output } = await busy(`installing ${brew.at(-1)} with Homebrew${after}`, () =>
      run([brewProgram, ...brew], env),
    ));
  }
  return findProgram(names, env) === undefined ? output : undefined;
}
