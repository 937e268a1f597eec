import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { withFolder } from '../embedded/processes.js';

/** `npm run check` of a project with these scripts. */
const check = (scripts: Record<string, string>) =>
  withFolder((folder) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
    const command = [resolve('src/tooling/check.mjs')];
    const { status, stdout } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
    return Promise.resolve({
      status,
      lines: stdout
        .replace(/ \(\d+ s\)$/gm, '')
        .trim()
        .split('\n')
        .sort(),
    });
  });

describe('the static checks', () => {
  it('are all done, also after one that failed, whose output is shown and which fails them all', async () => {
    const passing = { 'check:a': 'node -e 0', 'check:b': 'node -e "console.log(1)"', test: 'exit 1' };
    expect(await check(passing)).to.deep.equal({ status: 0, lines: ['1', 'check:a passed', 'check:b passed'] });
    const failing = { 'check:bad': 'node -e "console.error(2); process.exit(3)"', ...passing };
    expect(await check(failing)).to.deep.equal({
      status: 1,
      lines: ['1', '2', 'check:a passed', 'check:b passed', 'check:bad FAILED'],
    });
  });
});
