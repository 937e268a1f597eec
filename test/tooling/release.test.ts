import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readManifest } from '../../src/cli/backup/manifest.js';
import { fieldsOf } from '../../src/domain/fields.js';
import { VERSION } from '../../src/http/version.js';
import { SCHEMA } from '../support/database.js';
import { fixtureOf, FIXTURES } from '../support/release-answers.js';

const versionsIn = (file: string): unknown[] => {
  const { version, packages } = fieldsOf(JSON.parse(readFileSync(file, 'utf8')));
  return packages === undefined ? [version] : [version, fieldsOf(fieldsOf(packages)['']).version];
};

describe('a release', () => {
  it('has one version everywhere, and a fixture', () => {
    for (const file of ['package.json', 'package-lock.json', 'pixel/package.json'])
      for (const version of versionsIn(file)) expect(version, file).to.equal(VERSION);
    expect(readdirSync(fixtureOf(VERSION))).to.have.members(['backup', 'expected.json']);
  });

  for (const release of readdirSync(FIXTURES).filter((name) => name.startsWith('release-')))
    it(`keeps its files of the schema: those of ${release} are unchanged, others come after them`, async () => {
      const { migrations } = await readManifest(join(FIXTURES, release, 'backup'));
      const released = Object.keys(migrations).sort();
      expect(released.length).to.be.above(10);
      for (const [name, checksum] of Object.entries(migrations))
        expect(hash('sha256', readFileSync(join(SCHEMA, name), 'utf8')), name).to.equal(checksum);
      const added = readdirSync(SCHEMA).filter((name) => migrations[name] === undefined);
      for (const name of added) expect(name > (released.at(-1) ?? ''), name).to.equal(true);
    });
});
