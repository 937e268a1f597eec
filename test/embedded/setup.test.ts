import { spawnSync } from 'node:child_process';
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
import { expect } from 'chai';
import { withFolder } from './processes.js';

/** A machine on which nothing is installed but what the test puts into `bin`. */
function bareMachine(folder: string) {
  const bin = join(folder, 'bin');
  const root = join(folder, 'project');
  mkdirSync(join(root, 'src', 'embedded'), { recursive: true });
  mkdirSync(bin);
  for (const name of ['setup.mjs', 'programs.mjs'])
    copyFileSync(`src/embedded/${name}`, join(root, 'src/embedded', name));
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
    const ran = spawnSync(process.execPath, [join(root, 'src/embedded/setup.mjs'), ...args], {
      env: { PATH: bin, npm_execpath: npm },
      encoding: 'utf8',
    });
    return { status: ran.status, out: ran.stdout, err: ran.stderr };
  };
  const calls = () => (existsSync(`${folder}/calls`) ? readFileSync(`${folder}/calls`, 'utf8').trim().split('\n') : []);
  return { bin, root, lock, program, setUp, calls };
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
      expect(first).to.deep.include({ status: 0, out: '' });
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
      expect(setUp('--test')).to.deep.equal({ status: 0, out: '', err: '' });
      return Promise.resolve();
    }));
});

describe('build', () => {
  const build = () => spawnSync(process.execPath, ['src/embedded/build.mjs'], { encoding: 'utf8' });

  it('makes what the services run, removes what has no source, and touches nothing that is the same', () => {
    expect(build()).to.deep.include({ status: 0, stdout: '', stderr: '' });
    const stale = 'dist/src/no-source.js';
    const kept = 'dist/src/embedded/supervisor.js';
    writeFileSync(stale, '');
    utimesSync(kept, 1, 1);
    expect(build().status).to.equal(0);
    expect(existsSync(stale)).to.equal(false);
    expect(statSync(kept).mtimeMs).to.equal(1_000);
    expect(existsSync('dist/src/embedded/clickhouse-child.mjs')).to.equal(true);
    expect(existsSync('dist/src/embedded/supervisor.js.map')).to.equal(true);
  });
});
