import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { download, flat, given, readCsv, readParquet, typesOf, type FileRow } from '../../support/exported.js';
import { useService, type Shop } from '../../support/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const RANGE = 'from=2026-03-01&to=2026-03-07';
const LISTS = [
  { path: '/v1/orders', list: 'orders' },
  { path: '/v1/orders', list: 'orders', query: 'status=deleted' },
  { path: '/v1/orders', list: 'orders', query: 'missing_cost=1&gateway=stripe' },
  { path: '/v1/products', list: 'products' },
  { path: '/v1/products', list: 'products', query: 'missing_cost=1&sort=sku' },
  { path: '/v1/breakdown', list: 'rows', query: 'by=tag' },
  { path: '/v1/metrics/daily', list: 'days' },
  { path: '/v1/metrics/daily', list: 'days', query: 'include=expenses,coverage' },
  { path: '/v1/metrics/explain', list: 'entries', query: 'figure=net_profit_after_expenses' },
  { path: '/v1/metrics/explain', list: 'entries', query: 'figure=cogs&sort=amount' },
  { path: '/v1/metrics/explain', list: 'entries', query: 'figure=gross_sales&sku=TEA' },
  { path: '/v1/metrics/explain', list: 'entries', query: 'figure=net_revenue&sort=amount' },
  { path: '/v1/metrics/explain', list: 'entries', query: 'figure=refunds' },
  { path: '/v1/metrics/explain', list: 'entries', query: 'figure=ad_spend&channel=custom:radio' },
  { path: '/v1/restatements', list: 'restatements' },
] as const;
const HOSTILE = [
  '=HYPERLINK("http://x","y")',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  'a;=1',
  'Tea "Earl\nGrey", 1 €',
];

describe('exports', function () {
  this.timeout(240_000);
  const service = useService();
  let shop: Shop;

  before(async () => {
    shop = await service.shop({ timezone: 'America/New_York' });
    const line = { line_id: '1', quantity: '3', unit_price: '10' };
    const order = (id: string, more: object = {}): object => ({
      order_id: id,
      placed_at: '2026-03-02T12:00:00.123456Z',
      currency: 'EUR',
      status: 'paid',
      total: '30',
      line_items: [line],
      payment_gateway: 'Stripe',
      ...more,
    });
    const answers = [
      await shop.call('PUT', '/v1/products/costs', {
        costs: [
          { sku: HOSTILE[1], unit_cost: '33.333333' },
          { sku: 'TEA', unit_cost: '4', effective_from: '2026-03-02' },
        ],
      }),
      await shop.call('PUT', '/v1/costs/gateway-fees', {
        rules: [{ payment_gateway: 'stripe', percent: '2.9', fixed: '0.3' }],
      }),
      await shop.call('POST', '/v1/costs/spend', {
        rows: [
          { channel: '=Radio', event_date: '2026-03-02', currency: 'EUR', spend: '1500', campaign_id: '=1+1' },
          { channel: 'Radio', event_date: '2026-03-02', currency: 'USD', spend: '0.333333' },
        ],
      }),
      await shop.call('PUT', '/v1/rates', { rates: [{ currency: 'USD', day: '2026-03-01', rate: '0.9217' }] }),
      await shop.call('PUT', '/v1/source', {
        platform: 'test',
        currency: 'EUR',
        timezone: 'America/New_York',
        convert_spend: true,
      }),
      await shop.call('POST', '/v1/costs/expenses', {
        external_id: '@rent',
        name: '-Rent',
        category: 'other',
        amount: '100',
        currency: 'EUR',
        frequency: 'monthly',
        started_on: '2026-03-03',
      }),
      await shop.call('POST', '/v1/orders', {
        orders: [
          ...HOSTILE.map((title, i) =>
            order(`${'=+-@'.charAt(i)}${i}`, {
              order_name: title,
              tags: [title.replace(/[\t\r\n]/g, ''), 'x,'.repeat(127)],
              line_items: [{ ...line, sku: /[\t\r\n]/.test(title) ? 'TEA' : title, title }],
            }),
          ),
          order('large', {
            total: '99999999999999.999999',
            refunds: [
              {
                refund_id: '=r',
                refunded_at: '2026-03-05T12:00:00Z',
                total: '0.000001',
                line_items: [{ line_id: '1', quantity: '1', restock: true }],
              },
            ],
            line_items: [{ ...line, unit_price: '33333333333333.333333', unit_cost: '999999999999.999999' }],
          }),
          order('vast', {
            line_items: [{ ...line, quantity: '999999999999.5', unit_cost: '999999999999.999999' }],
            total: '9999999999995',
          }),
          order('free', {
            total: '0',
            line_items: [{ ...line, unit_price: '0' }],
            refunds: [{ refund_id: 'nothing', refunded_at: '2026-03-06T12:00:00Z', total: '0' }],
          }),
          order('test', { is_test: true }),
          order('gone', { deleted: true }),
        ],
      }),
    ];
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
      expect(body.rejected ?? 0, JSON.stringify(body)).to.equal(0);
    }
    await service.settled();
  });

  async function pages(path: string, list: string, query: string): Promise<object[]> {
    const rows: object[] = [];
    const limit = list === 'days' ? '' : '&limit=10';
    for (let cursor = ''; ;) {
      const { status, body } = await shop.call('GET', `${path}?${RANGE}&${query}${limit}${cursor}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      rows.push(...(body[list] as object[]));
      if (body.next === undefined) return rows;
      cursor = `&cursor=${String(body.next)}`;
    }
  }

  for (const { path, list, ...rest } of LISTS) {
    const query = 'query' in rest ? rest.query : '';

    it(`hold what the pages of ${path}?${query} hold, to the last digit`, async () => {
      const wanted = (await pages(path, list, query)).map((row) => flat(row));
      expect(wanted).not.to.have.length(0);
      const csv = readCsv(await download(service, `${path}?${RANGE}&${query}`, shop.key, 'csv'));
      const file = await download(service, `${path}?${RANGE}&${query}`, shop.key, 'parquet');
      const types = await typesOf(service, file);
      const inCsv = (name: string, text: string): string =>
        types[name]?.includes('String') && /^[=+\-@\t\r＝]/.test(text) ? `'${text}` : text;
      const inParquet = (name: string, text: string): string => {
        if (types[name]?.includes('DateTime64')) return text.replace('T', ' ').replace('Z', '');
        if (!types[name]?.includes('Decimal')) return text;
        const [whole = '', digits = ''] = text.split('.');
        return `${whole}.${digits.padEnd(6, '0')}`;
      };
      const tableOf = (change: typeof inCsv): FileRow[] =>
        wanted.map((row) => Object.fromEntries(row.map(([name, text]) => [name, change(name, text)])));
      expect(csv.map(given)).to.deep.equal(tableOf(inCsv));
      expect((await readParquet(service, file)).map(given)).to.deep.equal(tableOf(inParquet));
    });
  }

  it('are read by DuckDB as the introduction says', async () => {
    const path = join(temporaryFolder('exports'), 'orders.csv');
    const orders = (await pages('/v1/orders', 'orders', '')).map((row) => Object.fromEntries(flat(row)));
    await writeFile(path, await download(service, `/v1/orders?${RANGE}`, shop.key, 'csv'));
    const connection = await (await DuckDBInstance.create()).connect();
    try {
      await connection.run(`SET TimeZone = 'UTC'`);
      const read = async (type: string): Promise<unknown[][]> => {
        const types = `{'order_id': 'VARCHAR', 'profit': 'DECIMAL(38, 6)', 'placed_at': '${type}'}`;
        const rows = await connection.runAndReadAll(
          `SELECT order_id, epoch_us(placed_at)::VARCHAR, floor(profit / 5) FROM read_csv('${path}', types = ${types})`,
        );
        return rows.getRowsJson();
      };
      const wanted = orders.map(({ order_id: id, placed_at: at, profit }) => [
        /^[=+\-@]/.test(String(id)) ? `'${String(id)}` : id,
        String(BigInt(Date.parse(String(at))) * 1_000n + BigInt(String(at).slice(-4, -1))),
        Math.floor(Number(profit) / 5),
      ]);
      expect(await read('TIMESTAMPTZ')).to.deep.equal(wanted);
      expect(await read('TIMESTAMP')).to.deep.equal(wanted);
    } finally {
      connection.closeSync();
    }
  });

  it('tell the types of their columns', async () => {
    const file = await download(service, `/v1/orders?${RANGE}`, shop.key, 'parquet');
    expect(await typesOf(service, file)).to.deep.include({
      order_id: 'Nullable(String)',
      day: 'Nullable(Date32)',
      placed_at: "Nullable(DateTime64(6, 'UTC'))",
      counted: 'Nullable(Bool)',
      profit: 'Nullable(Decimal(38, 6))',
    });
  });

  it('have their columns where nothing is found', async () => {
    const path = '/v1/orders?from=2020-01-01&to=2020-01-02';
    const csv = (await download(service, path, shop.key, 'csv')).toString();
    expect(csv).to.match(/^order_id,order_name,placed_at,.*,received_at\r\n$/);
    const types = await typesOf(service, await download(service, path, shop.key, 'parquet'));
    expect(Object.keys(types).join()).to.equal(csv.trim());
  });

  it('hold the channels that the answer of the attribution holds', async () => {
    const path = `/v1/attribution?${RANGE}&model=linear`;
    const { channels } = (await shop.call('GET', path)).body as { channels: object[] };
    const rows = readCsv(await download(service, path, shop.key, 'csv')).map(given);
    expect(channels).not.to.have.length(0);
    expect(rows).to.deep.equal(channels.map((row) => Object.fromEntries(flat(row))));
    const refused = await service.call('GET', `${path}&include=losses`, {
      key: shop.key,
      headers: { Accept: 'text/csv' },
    });
    expect(refused.status).to.equal(400);
  });

  it('show nothing to a key of another shop, and are refused to a pixel token', async () => {
    const other = await service.shop();
    for (const { path, list, ...rest } of LISTS) {
      if (list === 'days') continue;
      const query = 'query' in rest ? rest.query : '';
      expect(readCsv(await download(service, `${path}?${RANGE}&${query}`, other.key, 'csv'))).to.deep.equal([]);
    }
    const status = async (key: string): Promise<number> =>
      (await service.call('GET', '/v1/orders', { key, headers: { Accept: 'text/csv' } })).status;
    const pixel = await service.key(shop.id, 'pixel');
    expect(await status(pixel)).to.equal(403);
    const publishable = await service.key(shop.id, 'publishable');
    expect(await status(publishable)).to.equal(200);
  });
});
