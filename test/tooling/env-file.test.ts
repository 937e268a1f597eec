import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { withFolder } from '../embedded/processes.js';

/** What a process sees of two variables after it has read `.env` of its folder. */
function read(folder: string, env: Record<string, string> = {}) {
  const module = JSON.stringify(resolve('src/tooling/env-file.mjs'));
  const script = `import { loadEnvFileOrExit } from ${module}; loadEnvFileOrExit();
    console.log(process.env.PORT + ' ' + process.env.HOST);`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status: ran.status, out: ran.stdout.trim(), err: ran.stderr };
}

describe('the file .env', () => {
  it('fills the environment, which wins where both say something', () =>
    withFolder((folder) => {
      writeFileSync(join(folder, '.env'), '# where it listens\nPORT=4100\nHOST="127.0.0.2" # loopback\n');
      expect(read(folder)).to.deep.equal({ status: 0, out: '4100 127.0.0.2', err: '' });
      expect(read(folder, { PORT: '4200' })).to.deep.equal({ status: 0, out: '4200 127.0.0.2', err: '' });
      return Promise.resolve();
    }));

  it('need not be there, and is named when it cannot be read', () =>
    withFolder((folder) => {
      expect(read(folder)).to.deep.equal({ status: 0, out: 'undefined undefined', err: '' });
      mkdirSync(join(folder, '.env'));
      expect(read(folder)).to.deep.include({ status: 1, out: '' });
      expect(read(folder).err).to.match(/^The file \.env could not be read: .*\n$/);
      return Promise.resolve();
    }));

  it('changes nothing when it is a copy of .env.example', () => {
    expect(readFileSync('.env.example', 'utf8')).not.to.match(/^\w+=/m);
  });
});
