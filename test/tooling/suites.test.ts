import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Suite {
  spec: string[];
  ignore?: string[];
}

/** `**` is any folders, `*` any part of a name: more the suites don't use. */
function matches(pattern: string, file: string): boolean {
  expect(pattern).to.match(/^[\w*/.-]+$/);
  const source = pattern
    .replaceAll('.', '\\.')
    .replace(/\*\*\/|\*\*|\*/g, (stars) => ({ '**/': '(?:.*/)?', '**': '.*' })[stars] ?? '[^/]*');
  return new RegExp(`^${source}$`).test(file);
}

describe('the suites', () => {
  it('run every test file once: no pattern of one meets those of another, or its own', () => {
    const suites = readdirSync('.')
      .filter((name) => /^\.mocharc\..*json$/.test(name))
      .map((name) => JSON.parse(readFileSync(name, 'utf8')) as Suite);
    const files = readdirSync('test', { recursive: true })
      .map((path) => `test/${String(path)}`)
      .filter((path) => path.endsWith('.test.ts'));
    const times = (file: string): number =>
      suites
        .filter(({ ignore = [] }) => !ignore.some((pattern) => matches(pattern, file)))
        .reduce((sum, { spec }) => sum + spec.filter((pattern) => matches(pattern, file)).length, 0);
    expect(files.length).to.be.above(100);
    expect(files.filter((file) => times(file) !== 1)).to.deep.equal([]);
  });
});
