import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { isAlive, until, withFolder } from '../embedded/processes.js';

/** A machine on which nothing is installed but what the test puts into `bin`. */
function bareMachine(folder: string) {
  const bin = join(folder, 'bin');
  const root = join(folder, 'project');
  mkdirSync(join(root, 'src', 'tooling'), { recursive: true });
  mkdirSync(bin);
  for (const name of ['setup.mjs', 'programs.mjs', 'busy.mjs'])
    copyFileSync(`src/tooling/${name}`, join(root, 'src/tooling', name));
  const lock = (version: string) =>
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({
        packages: { '': {}, 'node_modules/a': { version }, 'node_modules/b': { version: '1', optional: true } },
      }),
    );
  lock('1.0.0');
  const program = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${folder}/calls\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const npm = join(bin, 'npm-cli.js');
  writeFileSync(
    npm,
    `const fs = require('node:fs');
     fs.appendFileSync('${folder}/calls', 'npm ' + process.argv.slice(2).join(' ') + '\\n');
     fs.mkdirSync('node_modules', { recursive: true });
     fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');`,
  );
  const setUp = (...args: string[]) => {
    const ran = spawnSync(process.execPath, [join(root, 'src/tooling/setup.mjs'), ...args], {
      env: { PATH: bin, npm_execpath: npm },
      encoding: 'utf8',
    });
    return { status: ran.status, out: ran.stdout, err: ran.stderr };
  };
  const begin = () => {
    const env = { PATH: bin, npm_execpath: npm };
    return spawn(process.execPath, [join(root, 'src/tooling/setup.mjs')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const calls = () => (existsSync(`${folder}/calls`) ? readFileSync(`${folder}/calls`, 'utf8').trim().split('\n') : []);
  return { bin, root, npm, lock, program, setUp, begin, calls };
}
const installer = (bin: string, program: string) =>
  `case "$*" in *install*) echo '#!/bin/sh' > ${bin}/${program}; /bin/chmod 755 ${bin}/${program};; esac`;

describe('set-up of a bare machine', () => {
  it('installs npm packages and Redis once, and then has nothing to do', () =>
    withFolder((folder) => {
      const { bin, program, setUp, calls } = bareMachine(folder);
      program('apt-get', installer(bin, 'redis-server'));
      program('sudo', '[ "$1" = -n ] && shift; exec "$@"');
      const first = setUp();
      const said = ['npm packages, then redis', 'redis-server with apt-get'].map(
        (what) => `setup: installing ${what} …\n`,
      );
      expect(first).to.deep.equal({ status: 0, out: '', err: said.join('') });
      const done = calls().filter((call) => !call.startsWith('sudo'));
      expect(done).to.deep.equal([
        'npm ci --no-audit --no-fund --loglevel=error',
        'apt-get update -qq',
        'apt-get install -y -qq --no-install-recommends redis-server',
      ]);
      const before = calls().length;
      expect(setUp()).to.deep.equal({ status: 0, out: '', err: '' });
      expect(calls()).to.have.length(before);
      return Promise.resolve();
    }));

  it('installs the packages again when the lock file asks for others', () =>
    withFolder((folder) => {
      const { program, lock, setUp, calls } = bareMachine(folder);
      program('redis-server', '');
      setUp();
      expect(calls()).to.have.length(1);
      lock('1.0.1');
      setUp();
      setUp();
      expect(calls()).to.have.length(2);
      return Promise.resolve();
    }));

  it('leaves packages alone that npm installed by the same lock file', () =>
    withFolder((folder) => {
      const { root, program, setUp, calls } = bareMachine(folder);
      program('redis-server', '');
      mkdirSync(join(root, 'node_modules'));
      const installed = { packages: { 'node_modules/a': { version: '1.0.0' } } };
      writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify(installed));
      expect(setUp().status).to.equal(0);
      expect(calls()).to.deep.equal([]);
      return Promise.resolve();
    }));

  it('says what it could not do and what to do', () =>
    withFolder((folder) => {
      const { program, setUp } = bareMachine(folder);
      const none = setUp('--test');
      expect(none.status).to.equal(1);
      expect(none.err).to.contain('redis is missing').and.contain('REDIS_URL').and.contain('chromium is missing');
      program('redis-server', '');
      program('chromium', '');
      program('clickhouse-client', '');
      program('promtool', '');
      expect(setUp('--test')).to.deep.equal({ status: 0, out: '', err: '' });
      return Promise.resolve();
    }));
});

describe('set-up that takes long', () => {
  /** An `npm ci` that tells its process and goes on until it is told to end. */
  const slowNpm = (folder: string) => `
    const fs = require('node:fs');
    console.log('chatter of npm');
    fs.writeFileSync('${folder}/npm-pid', String(process.pid));
    setInterval(() => undefined, 1000);`;
  const npmPid = (folder: string): Promise<number> =>
    until('npm runs', () => {
      const file = `${folder}/npm-pid`;
      // It is there, and empty, for a moment before it is written.
      return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
    });

  it('says what it is doing while it does it, and shows the output of an installer only when that failed', () =>
    withFolder(async (folder) => {
      const { npm, program, begin, setUp } = bareMachine(folder);
      program('redis-server', '');
      writeFileSync(npm, slowNpm(folder));
      const child = begin();
      let shown = '';
      child.stderr.on('data', (part: Buffer) => (shown += part.toString()));
      const pid = await npmPid(folder);
      await until('it is said', () => shown.includes('\n'));
      expect(shown).to.equal('setup: installing npm packages …\n');
      const ended = once(child, 'close');
      process.kill(pid, 'SIGKILL');
      expect(await ended).to.deep.equal([1, null]);
      expect(shown).to.contain('setup: chatter of npm\nnpm ci failed: check the network, then try again.\n');

      writeFileSync(npm, `console.error('npm warn'); require('node:fs').mkdirSync('node_modules')`);
      expect(setUp()).to.deep.equal({ status: 0, out: '', err: 'setup: installing npm packages …\n' });
    }));

  it('is done once when two commands begin together, and again after one that was killed', () =>
    withFolder(async (folder) => {
      const { root, npm, program, begin, calls } = bareMachine(folder);
      program('redis-server', '');
      // Somebody who was killed left the mark of a process that is no more.
      writeFileSync(join(root, '.installing'), '4194305');
      writeFileSync(
        npm,
        `const fs = require('node:fs');
         fs.appendFileSync('${folder}/calls', 'npm\\n');
         const wait = setInterval(() => {
           if (!fs.existsSync('${folder}/go-on')) return;
           clearInterval(wait);
           fs.mkdirSync('node_modules', { recursive: true });
           fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
         }, 20);`,
      );
      const first = begin();
      await until('npm runs', () => calls().length === 1);
      const second = begin();
      let shown = '';
      second.stderr.on('data', (part: Buffer) => (shown += part.toString()));
      const ended = Promise.all([once(first, 'close'), once(second, 'close')]);
      await until('the second waits', () => shown.includes('\n'));
      writeFileSync(`${folder}/go-on`, '');
      expect(await ended).to.deep.equal([
        [0, null],
        [0, null],
      ]);
      expect(calls()).to.deep.equal(['npm']);
      expect(shown).to.equal('setup: waiting for another set-up …\n');
      expect(existsSync(join(root, '.installing'))).to.equal(false);
    }));

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`ends the installer before itself on ${signal}`, () =>
      withFolder(async (folder) => {
        const { npm, begin } = bareMachine(folder);
        writeFileSync(npm, slowNpm(folder));
        const child = begin();
        const pid = await npmPid(folder);
        const ended = once(child, 'close');
        child.kill(signal);
        expect(await ended).to.deep.equal([null, signal]);
        expect(isAlive(pid)).to.equal(false);
      }));
  }
});

describe('build', () => {
  const build = () => spawnSync(process.execPath, ['src/tooling/build.mjs'], { encoding: 'utf8' });

  it('makes what the services run, removes what has no source, and touches nothing that is the same', () => {
    expect(build()).to.deep.include({ status: 0, stdout: '', stderr: '' });
    const stale = 'dist/src/no-source.js';
    const kept = 'dist/src/embedded/supervisor/run-supervisor.js';
    writeFileSync(stale, '');
    utimesSync(kept, 1, 1);
    expect(build().status).to.equal(0);
    expect(existsSync(stale)).to.equal(false);
    expect(statSync(kept).mtimeMs).to.equal(1_000);
    for (const read of [
      'embedded/engines/clickhouse-child.mjs',
      'redis/scripts/rebuild-queue-add.lua',
      'http/pages/docs/push.md',
    ])
      expect(existsSync(`dist/src/${read}`), read).to.equal(true);
    const { sources } = JSON.parse(readFileSync(`${kept}.map`, 'utf8')) as { sources: string[] };
    expect(sources).to.include('../../../../src/embedded/supervisor/supervisor.ts');
  });

  it('may run several times at once', async () => {
    const builds = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['src/tooling/build.mjs']));
    for (const { stderr } of await Promise.all(builds)) expect(stderr).to.equal('');
  });
});
