import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { processesOf, withFolder } from '../embedded/processes.js';
import { cloneInto, runTerminals, type Terminals } from './terminals.js';

const README = readFileSync('README.md', 'utf8');
/** What the README tells people to type, as it stands. */
const BLOCKS = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
/** The one block that is not typed here: this very test is a part of it. */
const ITSELF = 'npm test\n';
/** What people type once more after all the others; that the demo may run again is tested with it. */
const AGAIN = BLOCKS.find((block) => block.includes('/v1/metrics?')) ?? '';
const QUICKSTART_FIGURES = {
  from: '2026-03-01',
  to: '2026-03-01',
  currency: 'EUR',
  revenue: '120.50',
  refunds: '28.90',
  net_revenue: '91.60',
  orders: 1,
  cogs: '27.75',
  gateway_fees: '3.10',
  ad_spend: '0.00',
  net_profit: '60.75',
  aov: '120.50',
  mer: '0.00',
  blended_roas: null,
};
const EXACT = 'All 20 trading days equal the independent figures to the last digit.';

/** The last JSON object that begins with `from` in an output. */
const figures = (output: string): unknown =>
  JSON.parse(output.slice(output.lastIndexOf('{"from"')).split('\n')[0] ?? '');

/**
 * A clean clone, two terminals, and every command block of the README in its order, to the letter. The README says port 3000,
 * so the terminals stand in a network of their own, where that port is free whatever else runs on the machine.
 */
describe('the README on a clean clone', function () {
  this.timeout(1_000_000);
  let done: Terminals;
  let workerLog: string;
  let left: number[];

  before(() =>
    withFolder(async (folder) => {
      cloneInto(`${folder}/clone`);
      const [first = '', ...rest] = BLOCKS;
      try {
        done = await runTerminals(`${folder}/clone`, first, [...rest.filter((block) => block !== ITSELF), AGAIN]);
        workerLog = readFileSync(`${folder}/clone/.data/logs/worker.log`, 'utf8');
      } finally {
        left = processesOf(folder);
        for (const pid of left) process.kill(pid, 'SIGKILL');
      }
    }),
  );

  /** What the block that holds a text printed. */
  function printedBy(text: string): string {
    const typed = BLOCKS.slice(1).filter((block) => block !== ITSELF);
    const index = typed.findIndex((block) => block.includes(text));
    expect(index, text).to.be.at.least(0);
    return done.second[index] ?? '';
  }

  it('has nothing but commands that work, one after the other', () => {
    expect(BLOCKS[0]).to.equal('npm start\n');
    expect(BLOCKS).to.include(ITSELF);
    expect(done.secondStatus, done.second.join('\n') + done.secondErrors + done.first).to.equal(0);
    expect(done.second).to.have.length(BLOCKS.length - 1);
  });

  it('gives the profit that stands below the quickstart', () => {
    expect(figures(printedBy('/v1/metrics?'))).to.deep.equal(QUICKSTART_FIGURES);
    expect(README).to.include('"net_profit": "60.75"');
  });

  it('shows a real month after that, and leaves one key that works, which is not printed', () => {
    const shown = printedBy('npm run demo');
    expect(shown).to.include(EXACT);
    expect(shown).to.match(/^total +1573 +823746\.14 +74789\.12 +748957\.02/m);
    expect(shown).to.match(/http:\/\/127\.0\.0\.1:3000\/signin\?next=%2Fshop%2Fonline-retail%3F\S*#ticket=/);
    const keys = printedBy('keys list').split('\n');
    const ofDemo = keys.filter((line) => line.includes(' online-retail '));
    expect(ofDemo).to.have.length(1);
    expect(ofDemo[0]).to.include('live');
    expect(shown).not.to.include('sk_svc_');
    expect(keys.filter((line) => line.includes(' demo ') && line.includes('live'))).to.have.length(2);
  });

  it('gives the figures of the quickstart a second time, after the demo', () => {
    expect(figures(done.second.at(-1) ?? '')).to.deep.equal(QUICKSTART_FIGURES);
  });

  it('imports a history with the key of the quickstart', () => {
    expect(printedBy('import orders')).to.match(/^accepted +2$/m);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = [...README.matchAll(/npm (?:run (?:--silent )?)?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    expect(named).to.include.members(['start', 'profit', 'demo', 'test']);
    expect(named.filter((name) => !(name in scripts))).to.deep.equal([]);
  });

  it('alarms nobody: the first terminal shows where the service is, and nothing else', () => {
    const [before = '', after = ''] = done.first.split('\nReady at http://127.0.0.1:3000\n');
    const lines = before.split('\n').filter((line) => line !== '' && !line.startsWith('> '));
    expect(lines.filter((line) => !/^setup: building …( \d+ s)?$/.test(line))).to.deep.equal([]);
    const failed = workerLog.split('\n').filter((line) => line.includes('"err"'));
    const shown = after.slice(after.indexOf('Ctrl-C stops everything.\n'));
    expect(shown, failed.join('\n')).to.equal('Ctrl-C stops everything.\nStopping.\n');
  });

  it('ends as one when npm is told to end', () => {
    expect(done.firstStatus).to.equal(0);
    expect(left).to.deep.equal([]);
  });
});
