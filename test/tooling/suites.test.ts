import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const PRINT =
  "import('./.mocharc.mjs').then(({ default: { jobs, spec } }) => console.log(JSON.stringify({ jobs, spec })))";
const queue = (...args: string[]): { jobs: number; spec: string[] } =>
  JSON.parse(execFileSync(process.execPath, ['-e', PRINT, '--', ...args], { encoding: 'utf8' }));
const times = JSON.parse(readFileSync('test/times.json', 'utf8')) as Record<string, number>;
/** Of `npm test` on two quiet cores. */
const QUICK_SECONDS = 240;

describe('the queue of tests', () => {
  it('has every test file once, the longest first', () => {
    const files = readdirSync('test', { recursive: true })
      .map((path) => `test/${String(path)}`)
      .filter((path) => path.endsWith('.test.ts'));
    const { spec } = queue('--all');
    expect(files.length).to.be.above(100);
    expect([...spec].sort()).to.deep.equal(files.sort());
    const known = spec.filter((file) => file in times).map((file) => times[file] ?? 0);
    expect(known).to.deep.equal([...known].sort((a, b) => b - a));
  });

  it('is run in part by npm test: the files that are done in four minutes, the shorter the sooner', () => {
    const { jobs, spec } = queue();
    const seconds = spec.reduce((sum, file) => sum + (times[file] ?? 0), 0);
    expect(seconds / jobs).to.be.at.most(QUICK_SECONDS);
    const left = queue('--all').spec.filter((file) => !spec.includes(file));
    expect(spec.length).to.be.above(left.length);
    expect(Math.min(...left.map((file) => times[file] ?? 0))).to.be.at.least(times[spec[0] ?? ''] ?? 0);
  });

  it('remembers times of files that exist', () => {
    expect(Object.keys(times).filter((file) => !existsSync(file))).to.deep.equal([]);
  });
});
