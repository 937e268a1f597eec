import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { runImportOrders, type ImportSummary } from '../../src/cli/import/import-orders.js';
import { convertOnlineRetail } from '../../src/cli/demo/online-retail.js';
import { inflated } from '../../src/cli/import/input.js';
import { useFreshShop, useService } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');
const SHARED = join(ROOT, '../shared/data/online-retail');
const COMMITTED = join(ROOT, 'src/cli/demo/data/online-retail-2010-12');

interface Day {
  date: string;
  revenue: string;
  refunds: string;
}

/** Canonical money of a plain decimal with at most two places, as the daily files have it. */
function canonical(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

function tradingDays(dailyFile: string): Day[] {
  const [, ...lines] = readFileSync(dailyFile, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [date = '', , , revenue = '', , refunds = ''] = line.split(',');
    return { date, revenue: canonical(revenue), refunds: canonical(refunds) };
  });
}

describe('real months through converter, import and metrics', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'Europe/London', currency: 'GBP' });
  const folder = temporaryFolder('online-retail');

  async function convert(files: string[]): Promise<{ path: string; orders: number }> {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (const file of files) yield* inflated(createReadStream(file));
    }
    const lines: string[] = [];
    for await (const order of convertOnlineRetail(bytes())) lines.push(`${JSON.stringify(order)}\n`);
    const path = join(folder, 'orders.ndjson');
    writeFileSync(path, lines.join(''));
    return { path, orders: lines.length };
  }

  function send(file: string): Promise<ImportSummary> {
    const quiet = { stdout: new PassThrough().resume(), stderr: new PassThrough().resume() };
    const signal = new AbortController().signal;
    return runImportOrders({ file, url: service.url, key: shop.key, stdin: createReadStream(file), signal, ...quiet });
  }

  async function reported(days: Day[]): Promise<Day[]> {
    await service.settled();
    const range = `from=${days[0]?.date}&to=${days.at(-1)?.date}`;
    const answer = await shop.call('GET', `/v1/metrics/daily?${range}`);
    return (answer.body as { days: Day[] }).days.map(({ date, revenue, refunds }) => ({ date, revenue, refunds }));
  }

  async function expectEqual(files: string[], dailyFile: string): Promise<void> {
    const days = tradingDays(dailyFile);
    const { path, orders } = await convert(files);
    expect(await send(path)).to.include({ exitCode: 0, read: orders, accepted: orders });
    const first = await reported(days);
    const byDate = new Map(days.map((day) => [day.date, day]));
    expect(first).to.deep.equal(
      first.map(({ date }) => byDate.get(date) ?? { date, revenue: '0.00', refunds: '0.00' }),
    );
    expect(first.filter(({ date }) => byDate.has(date))).to.have.length(days.length);
    expect(await send(path)).to.include({ exitCode: 0, read: orders, accepted: orders });
    expect(await reported(days)).to.deep.equal(first);
  }

  it('equal the independent figures by day: the committed month, and a second import changes nothing', async () => {
    await expectEqual([`${COMMITTED}.csv.gz`], `${COMMITTED}.daily.csv`);
  }).timeout(600_000);

  if (existsSync(SHARED)) {
    it('equal the independent figures by day: all three months', async () => {
      const files = ['2010-12', '2011-01', '2011-02'].map((month) => join(SHARED, `${month}.csv.gz`));
      await expectEqual(files, join(SHARED, 'daily.csv'));
    }).timeout(600_000);
  }
});
