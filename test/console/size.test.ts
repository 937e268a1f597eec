import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';

describe('the pages of the app', () => {
  // Built before the tests run.
  const folder = 'dist/app';

  it('have at most 61.9 KB of script each, with all that an address loads later', () => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const named = (name: string, how: RegExp): string[] =>
      Array.from(textOf(name).matchAll(how), ([, file]) => file ?? '').filter((file) => scripts.includes(file));
    const withImports = (name: string, seen = new Set<string>()): Set<string> => {
      if (!seen.has(name)) for (const file of named(name, /from"\.\/([^"]+)"/g)) withImports(file, seen.add(name));
      return seen.add(name);
    };
    const sizeOf = (names: Iterable<string>): number =>
      Array.from(names).reduce((sum, name) => sum + gzipSync(textOf(name), { level: 9 }).length, 0);
    const laterOf = (name: string): string[] =>
      [...withImports(name)].flatMap((file) => named(file, /import\("\.\/([^"]+)"\)/g));
    for (const [entry, count] of [
      ['app.js', 3],
      ['developers.js', 1],
    ] as const) {
      const later = laterOf(entry);
      expect(later, entry).to.have.lengthOf(count);
      // The box that finds opens on every page.
      const find = later.find((name) => textOf(name).includes('combobox')) ?? '';
      for (const part of later) {
        const page = withImports(find, withImports(part, withImports(entry)));
        expect(sizeOf(page), part).to.be.at.most(61_900);
        // The uploads, with what reads CSV.
        for (const own of laterOf(part)) expect(sizeOf(withImports(own, page)), own).to.be.at.most(71_000);
      }
    }
    for (const name of ['signin.js', 'join.js', 'share.js', 'docs.js'])
      expect(sizeOf(withImports(name)), name).to.be.at.most(61_900);
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
