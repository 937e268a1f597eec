import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';

describe('the pages of the app', () => {
  // Built before the tests run.
  const folder = 'dist/app';

  it('are under 150 KB of gzip, all together', () => {
    const sizes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.within(10_000, 150_000);
  });

  it('have at most 60 KB of script each', () => {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
      expect(gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, name).to.be.at.most(60_000);
    }
  });

  it('name no other host, so they work offline', () => {
    for (const name of readdirSync(folder)) {
      const hosts = readFileSync(join(folder, name), 'utf8').match(/https?:\/\/[\w.-]+/g) ?? [];
      // Names of XML languages; nothing is fetched from there.
      expect(
        hosts.filter((host) => host !== 'http://www.w3.org'),
        name,
      ).to.deep.equal([]);
    }
  });
});
