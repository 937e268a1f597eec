import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { readMutants } from '../mutants/patch-file.js';

const mutants = readMutants('test/mutants/patches');

describe('the planted faults', () => {
  it('fit the code: every patch applies', () => {
    const faults = mutants.flatMap(({ path }) => {
      const { status, stderr } = spawnSync('git', ['apply', '--check', path], { encoding: 'utf8' });
      return status === 0 ? [] : [`${path}: ${stderr}`];
    });
    expect(mutants.length).to.be.above(40);
    expect(faults).to.deep.equal([]);
  });

  it('name tests that exist', () => {
    const files = mutants.flatMap(({ noticedBy }) => (noticedBy.kind === 'test' ? [noticedBy.file] : []));
    expect(files).to.not.deep.equal([]);
    expect(files.filter((file) => !existsSync(file))).to.deep.equal([]);
  });
});
