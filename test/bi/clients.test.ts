import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@clickhouse/client';
import { expect } from 'chai';
import { openPage } from '../browser/support/browser.js';
import { PASSWORD, SECRET, startAnalysts, type Analysts } from './analysts.js';
import { BI_VIEWS } from './views-of-bi.js';

const run = promisify(execFile);
const REVENUE = '12345678901234.123456';
/** Debian packages both clients of the native protocol; `npm test` installs them there. */
const isDebian = process.platform === 'linux' && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

describe('real clients', function () {
  this.timeout(240_000);
  let analysts: Analysts;
  let port: string;
  before(async () => {
    analysts = await startAnalysts();
    port = String(analysts.nativePort);
  });
  after(() => analysts.stop());

  it('@clickhouse/client lists the views and reads exact decimals', async () => {
    const client = createClient({
      url: analysts.proxy.url,
      username: 'bi_a',
      password: PASSWORD,
      database: 'bi',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1, max_execution_time: 30 },
    });
    const tables = await client.query({ query: 'SHOW TABLES', format: 'JSONEachRow' });
    expect((await tables.json<{ name: string }>()).map(({ name }) => name)).to.deep.equal(BI_VIEWS);
    const metrics = await client.query({
      query: 'SELECT day, revenue, orders, aov, blended_roas FROM daily_metrics WHERE day = {day:Date}',
      query_params: { day: '2026-03-01' },
      format: 'JSONEachRow',
    });
    expect(await metrics.json()).to.deep.equal([
      { day: '2026-03-01', revenue: REVENUE, orders: '3', aov: '4115226300411.374485', blended_roas: null },
    ]);
    await client.close();
  });

  it('what a join does not find and the key of a total are NULL', async () => {
    const join = `SELECT m.revenue FROM (SELECT toDate('2026-01-01') AS day) AS d LEFT JOIN bi.daily_metrics AS m USING (day)`;
    expect((await analysts.ask(join)).text).to.equal('\\N\n');
    const total = 'SELECT day, sum(orders) FROM bi.daily_metrics GROUP BY ROLLUP(day) ORDER BY grouping(day)';
    expect((await analysts.ask(total)).text).to.equal('2026-03-01\t3\n\\N\t3\n');
  });

  it("ClickHouse's own /play page reads daily_metrics in a browser", async () => {
    const { page, context } = await openPage();
    await page.goto(`${analysts.proxy.url}/play`);
    await page.fill('#user', 'bi_a');
    await page.fill('#password', PASSWORD);
    for (const [sql, shown] of [
      ['SHOW TABLES FROM bi', BI_VIEWS],
      ['SELECT day, revenue FROM bi.daily_metrics', ['2026-03-01', REVENUE]],
    ] as const) {
      await page.fill('#query', sql);
      await page.click('#run');
      for (const word of shown) await page.getByText(word, { exact: true }).first().waitFor();
    }
    await context.close();
  });

  if (isDebian) {
    it('clickhouse-client lists the views and reads exact decimals', async () => {
      const ask = async (query: string): Promise<string> => {
        const access = ['--host', '127.0.0.1', '--port', port, '--user', 'bi_a', '--password', PASSWORD];
        return (await run('clickhouse-client', [...access, '--database', 'bi', '--query', query])).stdout.trim();
      };
      expect((await ask('SHOW TABLES')).split('\n')).to.deep.equal(BI_VIEWS);
      expect(await ask('SELECT revenue, orders, aov FROM daily_metrics')).to.equal(
        `${REVENUE}\t3\t4115226300411.374485`,
      );
      const refusal = await ask('SELECT * FROM profit.orders').catch((error: unknown) => (error as Error).message);
      expect(refusal).to.contain('Not enough privileges');
    });

    it('clickhouse_driver of Python reads exact decimals, and what it forges changes nothing', async () => {
      const script = join(import.meta.dirname, 'native_client.py');
      const { stdout } = await run('/usr/bin/python3', [script, port, PASSWORD]);
      const said = JSON.parse(stdout) as Record<string, unknown>;
      expect(said.tables).to.deep.equal(BI_VIEWS);
      expect(said.metrics).to.deep.equal([['2026-03-01', REVENUE, '3', '4115226300411.374485']]);
      for (const name of ['setting', 'base', 'forged_base', 'forged_setting', 'forged_limit']) {
        expect(said[name], name).to.match(/Not enough privileges|readonly mode|shouldn't be|should not be/);
      }
      expect(said.forged_user).to.deep.equal([['bi_a', 'a']]);
      expect(stdout).not.to.contain(SECRET);
    });
  }
});
