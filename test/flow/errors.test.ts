import { expect } from 'chai';
import { pino } from 'pino';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES, HOLD_CODES, type ErrorCode } from '../../src/error-catalogue.js';
import { statusOf } from '../../src/errors.js';
import { createApp } from '../../src/http/app.js';
import { createExpressServer } from '../../src/http/server.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { ITEMS, line, order, REQUESTS, source } from '../support/error-cases.js';
import { newBatchId } from '../../src/ingest/batch.js';
import { startService, useService, useShop, type Answer } from '../support/service.js';

/** Codes that were seen, so that the last test can tell which ones nobody provoked. */
const seen = new Set<ErrorCode>();

describe('every error code', () => {
  const service = useService();
  const shop = useShop(service);

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

  it('all faults of an item are reported at once', async () => {
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
    expectCode(await fresh.call('PUT', '/v1/source', { ...source, currency: 'USD' }), 'source_locked', 'currency');
    expectCode(
      await fresh.call('PUT', '/v1/source', { ...source, timezone: 'Europe/Berlin' }),
      'source_locked',
      'timezone',
    );
    const renamed = await fresh.call('PUT', '/v1/source', { ...source, platform: 'other', shop_domain: 'a.example' });
    expect([renamed.status, renamed.body.locked, renamed.body.platform]).to.deep.equal([200, true, 'other']);
    expect(renamed.body.locked_at).to.be.a('string');
  });

  it('invalid_channel: a label of which no name is left', async () => {
    const row = { channel: '!!', event_date: '2026-03-01', currency: 'EUR', spend: '1' };
    const { body } = await shop.call('POST', '/v1/costs/spend', { rows: [row, { ...row, channel: 'Radio' }] });
    expect(body).to.include({ accepted: 1, rejected: 1 });
    expect(body.results[0].errors[0]).to.include({ code: 'invalid_channel', field: 'channel' });
    seen.add('invalid_channel');
  });

  it('external_id_mismatch, and not_found: an expense that is another, or none', async () => {
    const expense = {
      name: 'x',
      category: 'tools',
      amount: '1',
      currency: 'EUR',
      frequency: 'weekly',
      started_on: '2026-03-01',
    };
    await shop.call('POST', '/v1/costs/expenses', { ...expense, external_id: 'a' });
    expectCode(
      await shop.call('PATCH', '/v1/costs/expenses/a', { ...expense, external_id: 'b' }),
      'external_id_mismatch',
      'external_id',
    );
    expectCode(await shop.call('PATCH', '/v1/costs/expenses/b', expense), 'not_found');
    expectCode(await shop.call('DELETE', '/v1/costs/expenses/b'), 'not_found');
  });

  it('consent_required and bot: events that are dropped', async () => {
    const key = await service.key(shop.id, 'pixel');
    const event = { event_id: 'e', type: 'page_view', ts: new Date().toISOString(), anon_id: 'a' };
    const { body } = await service.call('POST', '/v1/collect?debug=1', { key, body: { events: [event] } });
    expect(body.results[0].errors[0]).to.include({ code: 'consent_required', field: 'consent' });
    seen.add('consent_required');
    const robot = await service.call('POST', '/v1/collect?debug=1', {
      key,
      body: { events: [{ ...event, consent: 'analytics' }] },
      headers: { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    });
    expect(robot.body.results[0].errors[0].code).to.equal('bot');
    seen.add('bot');
  });

  it('not_fresh_yet: a push that no worker has written within 5 s', async () => {
    const batchId = newBatchId(Date.now());
    await service.stores.receipts.open({ shopId: shop.id, batchId, jobKey: 'bull:orders:none', count: 1 });
    const answer = await shop.call('GET', `/v1/metrics?after=${batchId}`);
    expectCode(answer, 'not_fresh_yet', 'after');
    expect(answer.headers.get('retry-after')).to.equal('1');
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
        Array.from({ length: 12 }, () => slow.call('GET', '/v1/metrics/definitions', { key: shop.key })),
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
    const { resources, tools, mcp } = service.deps;
    const health: typeof resources.health = (tell) => ({
      ...resources.health(tell),
      health: () => Promise.reject(new Error('secret detail')),
    });
    const deps = { resources: { ...resources, health }, tools, mcp };
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
    // Those of the converter are provoked where platforms push.
    const holds: readonly string[] = HOLD_CODES;
    expect(missing.filter((code) => !seen.has(code) && !holds.includes(code))).to.deep.equal([]);
  });
});
