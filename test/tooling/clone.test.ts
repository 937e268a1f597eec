import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { withFolder } from '../embedded/processes.js';
import { cloneInto } from './terminals.js';

describe('a clone for a test', () => {
  it('can install packages without touching those of the checkout', () =>
    withFolder((folder) => {
      cloneInto(join(folder, 'clone'));
      const packages = join(folder, 'clone', 'node_modules');
      expect(existsSync(join(folder, 'clone', 'package-lock.json'))).to.equal(true);
      // What an installation removes or writes is the clone's own: links, and copies of the records.
      expect(realpathSync(packages)).to.equal(realpathSync(join(folder, 'clone')) + '/node_modules');
      const own = readdirSync(packages).filter((name) => !lstatSync(join(packages, name)).isSymbolicLink());
      expect(own).to.include('.package-lock.json');
      expect(own.filter((name) => !lstatSync(join(packages, name)).isFile())).to.deep.equal([]);
      expect(existsSync(join(packages, 'express', 'package.json'))).to.equal(true);
      return Promise.resolve();
    }));
});
