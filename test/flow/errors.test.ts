import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { pino } from 'pino';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES, statusOf, type ErrorCode } from '../../src/errors.js';
import { createApp } from '../../src/http/app.js';
import { createExpressServer } from '../../src/http/express-server.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { startService, type Answer, type CallOptions, type Service, type Shop } from '../support/service.js';

/** Codes that were seen, so that the last test can tell which ones nobody provoked. */
const seen = new Set<ErrorCode>();

const line = (fields: object = {}) => ({ line_id: 'a', quantity: '1', unit_price: '1', ...fields });
const refund = (fields: object = {}) => ({
  refund_id: 'r',
  refunded_at: '2026-03-01T00:00:00Z',
  total: '1',
  ...fields,
});
const order = (fields: object = {}) => ({
  order_id: '1',
  placed_at: '2026-03-01T00:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [line()],
  total: '1',
  ...fields,
});
const source = { platform: 'test', currency: 'EUR', timezone: 'UTC' };

/** One request that fails as a whole. */
interface RequestCase {
  code: ErrorCode;
  field?: string;
  method?: string;
  path: string;
  options?: CallOptions;
}
const push = (options: CallOptions): Omit<RequestCase, 'code'> => ({ method: 'POST', path: '/v1/orders', options });
const put = (body: object): Omit<RequestCase, 'code'> => ({ method: 'PUT', path: '/v1/source', options: { body } });
const gzipped = { 'Content-Encoding': 'gzip' };

const REQUESTS: RequestCase[] = [
  { code: 'invalid_json', ...push({ raw: '{"orders":[' }) },
  { code: 'invalid_json', ...push({ raw: '' , headers: { 'Content-Type': 'application/json' } }) },
  { code: 'invalid_json', ...push({ raw: '{"orders":[],"orders":[]}' }) },
  { code: 'invalid_json', ...push({ raw: '{"orders":[{"total":"1","total":"2"}]}' }) },
  { code: 'invalid_json', ...push({ raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }) },
  { code: 'invalid_json', ...push({ raw: '\ufeff{"orders":[]}' }) },
  { code: 'invalid_request', ...push({ raw: 'not gzip', headers: gzipped }) },
  { code: 'invalid_request', ...push({ raw: gzipSync('{"orders":[]}').subarray(0, 15), headers: gzipped }) },
  { code: 'missing_field', field: 'orders', ...push({ body: {} }) },
  { code: 'unknown_field', field: 'colour', ...push({ body: { orders: [order()], colour: 1 } }) },
  { code: 'unknown_field', field: '__proto__', ...push({ raw: '{"orders":[1],"__proto__":{}}' }) },
  { code: 'unknown_field', field: 'dry_run', method: 'POST', path: '/v1/orders?dry_run=1', options: { body: { orders: [1] } } },
  { code: 'unknown_field', field: 'page', path: '/v1/metrics?page=1' },
  { code: 'invalid_type', field: 'orders', ...push({ body: { orders: {} } }) },
  { code: 'invalid_type', ...push({ body: [order()] }) },
  { code: 'invalid_type', ...push({ raw: 'null' }) },
  { code: 'invalid_value', field: 'timezone', ...put({ ...source, timezone: 'Mars/Olympus' }) },
  { code: 'invalid_value', field: 'currency', ...put({ ...source, currency: 'eur' }) },
  { code: 'invalid_value', field: 'platform', ...put({ ...source, platform: '' }) },
  { code: 'invalid_value', field: 'platform', ...put({ ...source, platform: 'x'.repeat(65) }) },
  { code: 'invalid_value', field: 'from', path: '/v1/metrics?from=2026-03-01&from=2026-03-02' },
  { code: 'batch_size', field: 'orders', ...push({ body: { orders: [] } }) },
  { code: 'batch_size', field: 'orders', ...push({ body: { orders: Array.from({ length: 251 }, () => 1) } }) },
  { code: 'invalid_range', field: 'from', path: '/v1/metrics?from=2026-03-02&to=2026-03-01' },
  { code: 'invalid_range', field: 'to', path: '/v1/metrics/daily?to=2026-02-30' },
  { code: 'range_too_long', path: '/v1/metrics?from=2024-01-01&to=2025-01-01' },
  { code: 'unauthorized', path: '/v1/metrics', options: { headers: { Authorization: '' } } },
  { code: 'unauthorized', path: '/v1/metrics', options: { headers: { Authorization: `Bearer sk_svc_${'0'.repeat(64)}` } } },
  { code: 'unauthorized', path: '/v1/metrics', options: { headers: { Authorization: 'Basic YTpi' } } },
  { code: 'not_found', path: '/v1/nothing' },
  { code: 'not_found', path: '/V1/Metrics' },
  { code: 'method_not_allowed', method: 'DELETE', path: '/v1/orders' },
  { code: 'body_too_large', ...push({ raw: JSON.stringify({ orders: ['x'.repeat(4 * 1024 * 1024)] }) }) },
  { code: 'body_too_large', ...push({ raw: gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)), headers: gzipped }) },
  { code: 'unsupported_media_type', ...push({ raw: '{}', headers: { 'Content-Type': 'text/plain' } }) },
  { code: 'unsupported_media_type', ...push({ raw: '{}', headers: { 'Content-Encoding': 'br' } }) },
]; // prettier-ignore

const ITEMS: [ErrorCode, string | undefined, unknown][] = [
  ['missing_field', 'total', order({ total: undefined })],
  ['unknown_field', 'line_items[0].colour', order({ line_items: [line({ colour: 1 })] })],
  ['invalid_type', undefined, 'no order'],
  ['invalid_type', undefined, null],
  ['invalid_type', 'line_items[0].quantity', order({ line_items: [line({ quantity: 1 })] })],
  ['invalid_value', 'status', order({ status: 'refunded' })],
  ['invalid_value', 'customer.id', order({ customer: { id: 'x'.repeat(129) } })],
  ['invalid_timestamp', 'placed_at', order({ placed_at: '2026-03-01T00:00:00' })],
  ['invalid_timestamp', 'updated_at', order({ updated_at: new Date(Date.now() + 2 * 86_400_000).toISOString() })],
  ['invalid_timestamp', 'refunds[0].refunded_at', order({ refunds: [refund({ refunded_at: '1999-12-31T23:59:59Z' })] })],
  ['money_must_be_string', 'total', order({ total: 1 })],
  ['money_must_be_string', 'refunds[0].total', order({ refunds: [refund({ total: 0.1 })] })],
  ['invalid_money', 'shipping', order({ shipping: '-1' })],
  ['invalid_quantity', 'line_items[0].quantity', order({ line_items: [line({ quantity: '1e1' })] })],
  ['sum_mismatch', 'total', order({ total: '1.000001' })],
  ['pii_rejected', 'customer.id', order({ customer: { id: 'a@example.com' } })],
  ['pii_rejected', 'customer.id', order({ customer: { id: '+49 170 1234567' } })],
  ['currency_mismatch', 'currency', order({ currency: 'USD' })],
  ['duplicate_line_id', 'line_items[1].line_id', order({ line_items: [line(), line()], total: '2' })],
  ['duplicate_refund_id', 'refunds[1].refund_id', order({ refunds: [refund(), refund()] })],
  ['unknown_line_id', 'refunds[0].line_items[0].line_id', order({ refunds: [refund({ line_items: [{ line_id: 'z', quantity: '1' }] })] })],
  ['line_count', 'line_items', order({ line_items: [] })],
  ['line_count', 'line_items', order({ line_items: Array.from({ length: 501 }, (_, i) => line({ line_id: String(i) })), total: '501' })],
]; // prettier-ignore

describe('every error code', () => {
  let service: Service;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = await service.shop();
  });
  after(() => service.stop());

  const expectCode = (answer: Answer, code: ErrorCode, field?: string): void => {
    expect(answer.body.errors.map((error: { code: string }) => error.code)).to.deep.equal([code]);
    expect(answer.status).to.equal(statusOf(code));
    expect(answer.body.errors[0].field).to.equal(field);
    expect(answer.body.errors[0].message).to.match(/^.{10,}[.]$/s);
    expect(answer.body.request_id).to.equal(answer.headers.get('x-request-id'));
    seen.add(code);
  };

  REQUESTS.forEach(({ code, field, method = 'GET', path, options = {} }, i) => {
    it(`request ${i + 1}: ${code}, ${method} ${path}`, async () => {
      const bearer = options.headers?.Authorization === undefined ? { key: shop.key } : {};
      expectCode(await service.call(method, path, { ...bearer, ...options }), code, field);
    });
  });

  ITEMS.forEach(([code, field, item], i) => {
    it(`item ${i + 1}: ${code}${field === undefined ? '' : ` at ${field}`}`, async () => {
      const good = order({ order_id: `good-${i}` });
      const { status, body } = await shop.call('POST', '/v1/orders', { orders: [item, good] });
      expect(status).to.equal(200);
      expect(body).to.include({ accepted: 1, rejected: 1 });
      const [{ errors, order_id, outcome }, other] = body.results;
      expect(errors.map((error: { code: string; field?: string }) => [error.code, error.field])).to.deep.equal([
        [code, field],
      ]);
      expect([order_id, outcome]).to.deep.equal([typeof item === 'object' && item !== null ? '1' : null, 'rejected']);
      expect(other).to.deep.equal({ order_id: `good-${i}`, outcome: 'accepted' });
      if (code === 'sum_mismatch') expect(errors[0]).to.include({ computed: '1.00', supplied: '1.000001' });
      seen.add(code);
    });
  });

  it('all faults of an item are told at once', async () => {
    const item = {
      order_id: '1',
      placed_at: 'x',
      currency: 'USD',
      status: 'paid',
      line_items: [line({ quantity: 1 })],
      total: 1,
    };
    const { body } = await shop.call('POST', '/v1/orders', { orders: [item] });
    expect(body.results[0].errors.map(({ code }: { code: string }) => code).sort()).to.deep.equal([
      'currency_mismatch',
      'invalid_timestamp',
      'invalid_type',
      'money_must_be_string',
    ]);
  });

  it('invalid_request: a path that is not validly encoded', async () => {
    expectCode(await service.call('GET', '/docs/assets/%zz/x'), 'invalid_request');
  });

  it('forbidden_scope: a key that may not do this', async () => {
    const key = await service.key(shop.id, 'publishable');
    expectCode(await service.call('POST', '/v1/orders', { key, body: { orders: [order()] } }), 'forbidden_scope');
  });

  it('source_not_registered and not_found: before registration', async () => {
    const key = await service.key('shop-of-errors');
    expectCode(await service.call('POST', '/v1/orders', { key, body: { orders: [order()] } }), 'source_not_registered');
    expectCode(await service.call('GET', '/v1/metrics', { key }), 'source_not_registered');
    expectCode(await service.call('GET', '/v1/metrics/daily', { key }), 'source_not_registered');
    expectCode(await service.call('GET', '/v1/source', { key }), 'not_found');
  });

  it('source_locked: another currency or time zone after the first accepted order', async () => {
    const fresh = await service.shop();
    expect((await fresh.call('PUT', '/v1/source', { ...source, currency: 'USD' })).body.currency).to.equal('USD');
    await fresh.call('PUT', '/v1/source', source);
    expect((await fresh.call('POST', '/v1/orders', { orders: [order({ total: '2' })] })).body.rejected).to.equal(1);
    expect((await fresh.call('POST', '/v1/orders?validate_only=1', { orders: [order()] })).body.accepted).to.equal(1);
    expect((await fresh.call('GET', '/v1/source')).body.locked, 'nothing was accepted for good').to.equal(false);
    await fresh.call('POST', '/v1/orders', { orders: [order()] });
    expectCode(await fresh.call('PUT', '/v1/source', { ...source, currency: 'USD' }), 'source_locked');
    expectCode(await fresh.call('PUT', '/v1/source', { ...source, timezone: 'Europe/Berlin' }), 'source_locked');
    const renamed = await fresh.call('PUT', '/v1/source', { ...source, platform: 'other', shop_domain: 'a.example' });
    expect([renamed.status, renamed.body.locked, renamed.body.platform]).to.deep.equal([200, true, 'other']);
    expect(renamed.body.locked_at).to.be.a('string');
  });

  it('method_not_allowed: names what is allowed', async () => {
    const answer = await service.call('PATCH', '/v1/source', { key: shop.key, body: {} });
    expectCode(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').sort()).to.deep.equal(['GET', 'HEAD', 'PUT']);
  });

  it('rate_limited: says when to come back', async () => {
    const slow = await startService({ workers: false, env: { RATE_LIMIT_READS: '2' } });
    try {
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => slow.call('GET', '/v1/metrics/definitions', { key: shop.key })),
      );
      const refused = answers.find(({ status }) => status === 429);
      expect(refused).not.to.equal(undefined);
      if (refused !== undefined) expectCode(refused, 'rate_limited');
    } finally {
      await slow.stop();
    }
  });

  it('store_unavailable: the warehouse is away', async () => {
    const cut = await startService({ workers: false, env: { CLICKHOUSE_URL: 'http://127.0.0.1:1' } });
    try {
      for (const path of ['/v1/metrics', '/v1/metrics/daily', '/v1/connections', '/v1/ingest/status']) {
        const answer = await cut.call('GET', path, { key: shop.key });
        expectCode(answer, 'store_unavailable');
        expect(Number(answer.headers.get('retry-after')), path).to.be.greaterThan(0);
      }
      // Pushing goes on without it.
      expect((await cut.call('POST', '/v1/orders', { key: shop.key, body: { orders: [order({ order_id: 'cut' })] } })).body.accepted).to.equal(1); // prettier-ignore
      expect((await cut.call('GET', '/v1/health', { key: shop.key })).body.status).to.equal('degraded');
      expect((await cut.call('GET', '/readyz')).status).to.equal(200);
    } finally {
      await cut.stop();
    }
  });

  it('queue_unavailable: the queue is away, or full', async () => {
    for (const env of [{ REDIS_URL: 'redis://127.0.0.1:1' }, { QUEUE_MAX_BYTES: String(1024 ** 2) }]) {
      const cut = await startService({ workers: false, env });
      try {
        const send = () => cut.call('POST', '/v1/orders', { key: shop.key, body: { orders: [order()] } });
        let answer = await send();
        for (let i = 0; i < 40 && answer.status === 200; i++) {
          await new Promise((resolve) => setTimeout(resolve, 100)); // the queue's size is looked at once a second
          answer = await send();
        }
        expectCode(answer, 'queue_unavailable');
        expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
      } finally {
        await cut.stop();
      }
    }
  });

  it('internal: something that nobody foresaw, told without its cause', async () => {
    const deps = { ...service.deps, health: () => Promise.reject(new Error('secret detail')) };
    const server = createExpressServer(createApp(deps, { log: pino({ level: 'silent' }), trustedProxies: 0 }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
    const text = await response.text();
    expect(text).not.to.include('secret');
    expectCode({ status: response.status, headers: response.headers, body: JSON.parse(text) }, 'internal');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('was provoked, as far as an operation declares it', () => {
    const declared = new Set(OPERATIONS.flatMap(({ errors = [], itemErrors = [] }) => [...errors, ...itemErrors]));
    const others: ErrorCode[] = ['unauthorized', 'forbidden_scope', 'not_found', 'method_not_allowed', 'rate_limited', 'internal', 'store_unavailable']; // prettier-ignore
    const body: ErrorCode[] = ['invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'];
    const missing = ERROR_CODES.filter((code) => declared.has(code) || others.includes(code) || body.includes(code));
    expect(missing.filter((code) => !seen.has(code))).to.deep.equal([]);
  });
});
