import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { killNpmStarts, startNpmStart } from './npm-start.js';
import { withFolder } from './processes.js';

const run = promisify(execFile);

/** The shell block that follows a marker comment. */
function block(marker: string): string {
  const found = new RegExp(`<!-- ${marker} -->\\s*\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(
    readFileSync('README.md', 'utf8'),
  );
  if (found?.[1] === undefined) throw new Error(`README.md has no block ${marker}`);
  return found[1];
}

describe('what the README says', function () {
  this.timeout(180_000);
  afterEach(killNpmStarts);

  it('the quickstart gives the profit that stands below it, and the demo equals the independent figures', () =>
    withFolder(async (folder) => {
      const service = await startNpmStart(folder);
      const env = { ...service.env, HOME: process.env.HOME };
      const script = block('quickstart').replaceAll('http://127.0.0.1:3000', service.url);
      const { stdout } = await run('bash', ['-euc', script], { env });
      expect(JSON.parse(stdout.slice(stdout.lastIndexOf('{"from"')))).to.deep.equal({
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
      });
      expect(readFileSync('README.md', 'utf8')).to.include('"net_profit": "60.75"');

      const key = (await service.profit('keys', 'create', '--shop', 'retail', '--kind', 'secret')).trim();
      for (const attempt of ['first', 'identical second']) {
        const shown = await service.profit('demo', '--key', key);
        expect(shown, attempt).to.include('All 20 trading days equal the independent figures to the last digit.');
        expect(shown, attempt).to.match(/^total +1573 +823746\.14 +74789\.12 +748957\.02/m);
      }
      expect(await service.stop(), service.output()).to.equal(0);
    }));
});
