import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { once } from 'node:events';
import { isPortFree } from '../../src/embedded/engines/free-port.js';

/** What two terminals showed. */
export interface Terminals {
  /** Both streams of the first, which runs until the second is through. */
  first: string;
  firstStatus: number;
  /** Standard output of the second, block by block. */
  second: string[];
  secondErrors: string;
  secondStatus: number;
}

/**
 * Copies what a clone of the working tree would hold. The packages are those of this checkout, so that nothing is
 * downloaded: that they are installed where they are missing is tested with the set-up. Each has a link of its own in a
 * folder of the clone's: where they are not those of the lock file, the clone's set-up replaces the links. Through one link
 * to the whole folder it would empty this checkout's.
 */
export function cloneInto(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  const gone = execFileSync('git', ['ls-files', '-z', '--deleted'], { encoding: 'utf8' }).split('\0');
  for (const path of listed.split('\0').filter((path) => path !== '' && !gone.includes(path))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(path, join(folder, path));
  }
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    const [from, to] = [resolve('node_modules', name), join(folder, 'node_modules', name)];
    // npm's record and the set-up's are files: written to, they would change here as well.
    if (RECORDS.includes(name)) cpSync(from, to);
    else if (name !== '.cache') symlinkSync(from, to);
  }
}

/** What npm and the set-up remember of the packages. */
const RECORDS = ['.package-lock.json', '.profit-setup'];

/** The caller ends what a driver that took longer leaves behind. */
const PATIENCE_MS = 900_000;
const MARK = '=== block ===';
const DRIVER = `
if [ "$OWN_NETWORK" = yes ]; then ip link set lo up || exit 1; fi
bash -c "$FIRST" > ../first.log 2>&1 &
first=$!
until grep -q 'Ctrl-C stops everything' ../first.log; do kill -0 $first || exit 1; sleep 0.1; done
bash -eu -o pipefail ../second.sh > ../second.log 2> ../second.err
echo $? > ../second.status
kill -TERM $first
wait $first
echo $? > ../first.status
`;

/** How a command gets a network of its own; undefined where the system has no such thing. */
function ownNetwork(): [string, ...string[]] | undefined {
  // Whoever isn't root may do it as the root of a user namespace.
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const command: [string, ...string[]] = ['unshare', '--net', ...asRoot];
  const [program, ...args] = [...command, 'ip', 'link', 'set', 'lo', 'up'];
  return spawnSync(program, args).status === 0 ? command : undefined;
}

/**
 * Types `first` in one terminal and, once the service is ready, `blocks` in another, in one shell that stops at the first
 * failure; then sends SIGTERM to the process of the first. Works in a network of its own where the system can make one,
 * else on the machine's, whose port 3000 must then be free.
 */
export async function runTerminals(folder: string, first: string, blocks: readonly string[]): Promise<Terminals> {
  const network = ownNetwork();
  if (network === undefined && !(await isPortFree(3000, '127.0.0.1'))) {
    throw new Error('port 3000 is taken, and this system can give the test no network of its own: free the port');
  }
  const outside = dirname(folder);
  const home = join(outside, 'home');
  mkdirSync(home);
  writeFileSync(join(outside, 'second.sh'), blocks.map((block) => `${block}echo; echo '${MARK}'\n`).join(''));
  const [program, ...args] = [...(network ?? []), 'bash', '-c', DRIVER];
  const driver = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, FIRST: first, OWN_NETWORK: network === undefined ? 'no' : 'yes' },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: PATIENCE_MS,
  });
  const [status] = (await once(driver, 'exit')) as [number | null];
  const read = (name: string): string => readFileSync(join(outside, name), 'utf8');
  if (status !== 0) throw new Error(`the terminals did not come to their end:\n${read('first.log')}`);
  return {
    first: read('first.log'),
    firstStatus: Number(read('first.status')),
    second: read('second.log').split(`\n${MARK}\n`).slice(0, -1),
    secondErrors: read('second.err'),
    secondStatus: Number(read('second.status')),
  };
}
