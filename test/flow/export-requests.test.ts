import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { EXPORT_TYPES } from '../../src/http/exports/format.js';
import { download, readCsv } from '../support/exported.js';
import { useService, useShop, type Answer } from '../support/service.js';

const RANGE = 'from=2026-03-01&to=2026-03-07';

describe('requests for exports', function () {
  this.timeout(240_000);
  const service = useService();
  const shop = useShop(service);

  const get = (path: string, headers: Record<string, string>, method = 'GET', key = shop.key): Promise<Answer> =>
    service.call(method, path, { key, headers });

  it('are chosen by Accept; without one of their types the answer is JSON', async () => {
    const { csv, parquet } = EXPORT_TYPES;
    const typeFor = async (Accept: string): Promise<string | undefined> => {
      const headers = { Authorization: `Bearer ${shop.key}`, Accept };
      const response = await fetch(`${service.url}/v1/products?${RANGE}`, { headers });
      await response.arrayBuffer();
      expect(response.headers.get('vary')).to.include('Accept');
      return response.headers.get('content-type')?.split(';')[0];
    };
    for (const [accept, type] of [
      ['*/*', 'application/json'],
      ['application/*', 'application/json'],
      ['application/problem+json', 'application/json'],
      ['application/problem+json, text/csv;q=0.5', 'application/json'],
      [' ', 'application/json'],
      ['text/html, */*;q=0.8', 'application/json'],
      ['text/csv', csv],
      ['TEXT/CSV; header=present; charset=utf-8', csv],
      ['text/*', csv],
      ['text/csv, */*', csv],
      ['application/json;q=0.5, text/csv', csv],
      ['*/*, application/json;q=0', csv],
      [`${'x/y;q=1,'.repeat(1_500)}text/csv`, csv],
      [`application/json;q=-1, text/csv;q=1e-9;x=",", */*;q=NaN, ${parquet};q=0.001`, parquet],
      [parquet, parquet],
      [`text/csv;q=0.1, ${parquet};q=0.2`, parquet],
    ] as const) {
      expect(await typeFor(accept), accept).to.equal(type);
    }
    for (const accept of [
      'application/xml',
      'text/csv;q=0',
      'text/csv; header=absent',
      'text/plain, image/*',
      ',;="',
    ]) {
      const { status, body } = await get(`/v1/products?${RANGE}`, { Accept: accept });
      expect(status, accept).to.equal(406);
      expect(body.errors[0]).to.include({ code: 'not_acceptable' });
    }
  });

  it('come as a named file, compressed where the client takes that', async () => {
    const raw = (encoding: string): Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }> =>
      new Promise((resolve, reject) => {
        const headers = { Authorization: `Bearer ${shop.key}`, Accept: 'text/csv', 'Accept-Encoding': encoding };
        request(`${service.url}/v1/orders?${RANGE}`, { headers }, (res) => {
          const parts: Buffer[] = [];
          res.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
          res.on('end', () => resolve({ headers: res.headers, bytes: Buffer.concat(parts) }));
        })
          .on('error', reject)
          .end();
      });
    const plain = await raw('gzip;q=0');
    expect(plain.headers).not.to.have.property('content-encoding');
    expect(plain.headers).to.include({
      'content-disposition': 'attachment; filename="orders_2026-03-01_2026-03-07.csv"',
      'content-type': 'text/csv; charset=utf-8; header=present',
      'cache-control': 'no-store',
    });
    const zipped = await raw('br, gzip');
    expect(zipped.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept, Accept-Encoding' });
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).to.equal(true);
  });

  it('answer HEAD with the headers alone', async () => {
    const { status, headers, body } = await get(`/v1/orders?${RANGE}`, { Accept: 'text/csv' }, 'HEAD');
    expect([status, body, headers.get('content-type')]).to.deep.equal([
      200,
      '',
      'text/csv; charset=utf-8; header=present',
    ]);
    expect((await get('/v1/orders?from=x', { Accept: 'text/csv' }, 'HEAD')).status).to.equal(400);
  });

  it('refuse parameters of pages, and report all other faults as JSON answers do', async () => {
    const faults = async (path: string): Promise<unknown> => {
      const { status, body, headers } = await get(path, { Accept: 'text/csv' });
      expect(status).to.equal(400);
      expect(headers.get('content-type')).to.include('application/json');
      expect(headers.get('content-disposition')).to.equal(null);
      return body.errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`);
    };
    const paging = ['invalid_value limit', 'invalid_value cursor'];
    expect(await faults(`/v1/orders?${RANGE}&limit=10&cursor=x`)).to.deep.equal(paging);
    expect(await faults(`/v1/products?${RANGE}&limit=10&cursor=x&sort=price`)).to.deep.equal([
      'invalid_value sort',
      ...paging.toReversed(), // in the order of the document
    ]);
    expect(await faults(`/v1/metrics/explain?${RANGE}&cursor=x`)).to.deep.equal([
      'missing_field figure',
      'invalid_value cursor',
    ]);
    expect(await faults(`/v1/metrics/daily?${RANGE}&limit=10`)).to.deep.equal(['unknown_field limit']);
    expect(await faults('/v1/orders?from=2020-01-01&to=2026-01-01')).to.deep.equal(['range_too_long from']);
  });

  it('contain the push of a receipt when they are read with it, and so does the order itself', async () => {
    const other = await service.shop();
    const { body } = await other.call('POST', '/v1/orders', {
      orders: [
        {
          order_id: 'o',
          placed_at: '2026-03-02T12:00:00Z',
          currency: 'EUR',
          status: 'paid',
          total: '5',
          line_items: [{ line_id: '1', quantity: '1', unit_price: '5' }],
        },
      ],
    });
    const after = `after=${String(body.receipt)}`;
    expect((await other.call('GET', `/v1/orders/o?${after}`)).body.revenue).to.equal('5.00');
    const rows = readCsv(await download(service, `/v1/orders?${RANGE}&${after}`, other.key, 'csv'));
    expect(rows.map(({ order_id, revenue }) => [order_id, revenue])).to.deep.equal([['o', '5.00']]);
    expect((await shop.call('GET', `/v1/orders/o?${after}`)).body.errors[0].field).to.equal('after');
  });
});
