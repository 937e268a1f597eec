import { expect } from 'chai';
import { writeIngestLog } from '../../src/warehouse/queries/ingest-log.js';
import type { IngestHeader, IngestKind } from '../../src/domain/ingest.js';
import { formatDay, utcDay } from '../../src/domain/time.js';
import { onEachServer } from '../support/on-each-server.js';
import { startService, useFreshShop, useService, type Answer } from '../support/service.js';
import { NO_COVERAGE } from '../support/no-coverage.js';

const HOUR = 3_600_000;
const NONE = { accepted: 0, rejected: 0, superseded: 0 };

describe('ingest status', () => {
  const service = useService();
  const other = useService({ workers: false });
  const shop = useFreshShop(service, { timezone: 'Pacific/Auckland' });
  let batches = 0;

  const status = (from = service, headers: Record<string, string> = {}): Promise<Answer> =>
    from.call('GET', '/v1/ingest/status', { key: shop.key, headers });
  /** Forgets the shared answer, as ten seconds would. */
  const forget = () => service.stores.redis.del(`answer:status:{${shop.id}}`);
  const entry = (kind: IngestKind, ageMs: number, fields: Partial<IngestHeader> = {}): IngestHeader => ({
    shop_id: shop.id,
    kind,
    batch_id: `batch-${++batches}`,
    received_at: Date.now() - ageMs,
    ...NONE,
    errors: [],
    ...fields,
  });

  it('answers before a source is registered', async () => {
    const key = await service.key('shop-without-source');
    const answer = await service.call('GET', '/v1/ingest/status', { key });
    expect(answer.status).to.equal(200);
    expect(answer.body.kinds.orders).to.deep.equal({
      last_received_at: null,
      windows: { '24h': NONE, '7d': NONE, '30d': NONE },
      top_error_codes: [],
    });
    expect(answer.body.coverage).to.deep.equal(NO_COVERAGE);
  });

  it('counts what was pushed, with error codes and coverage', async () => {
    const order = (fields: object) => ({
      placed_at: new Date().toISOString(),
      currency: 'EUR',
      status: 'paid',
      total: '1',
      line_items: [{ line_id: 'a', quantity: '1', unit_price: '1' }],
      ...fields,
    });
    const costed = [{ line_id: 'a', quantity: '1', unit_price: '1', unit_cost: '0.5' }];
    const before = Date.now();
    await shop.call('POST', '/v1/orders', {
      orders: [
        order({ order_id: '1', line_items: costed, gateway_fee: '0.1', tax: '0' }),
        order({ order_id: '2', line_items: costed }),
        order({ order_id: '3' }),
        order({ order_id: '3', updated_at: '2020-01-01T00:00:00Z' }),
        order({ order_id: '4', total: '2' }),
        order({ order_id: '5', total: 3, currency: 'USD' }),
      ],
    });
    await service.settled();
    const { body } = await status();
    const counts = { accepted: 3, rejected: 2, superseded: 1 };
    expect(body.kinds.orders.windows).to.deep.equal({ '24h': counts, '7d': counts, '30d': counts });
    expect(Date.parse(body.kinds.orders.last_received_at)).to.be.within(before - 1_000, Date.now() + 1_000);
    expect(
      body.kinds.orders.top_error_codes.map(({ code, count }: { code: string; count: number }) => [code, count]),
    ).to.deep.equal([
      ['currency_mismatch', 1],
      ['money_must_be_string', 1],
      ['sum_mismatch', 1],
    ]);
    expect(body.kinds.orders.top_error_codes[2].sample_message).to.equal(
      'The parts of the order do not add up to its total; `computed` and `supplied` show both.',
    );
    expect(body.coverage).to.deep.equal({
      cogs_complete: 66.67,
      gateway_fee_actual: 33.33,
      tax_present: 33.33,
      fulfillment_known: 0,
      orders: 3,
      orders_without_cost: 1,
      products_without_cost: 1,
      orders_fee_estimated: 0,
      orders_without_fee: 2,
      orders_without_tax: 2,
      orders_without_fulfillment: 3,
      refunds_without_tax: 0,
    });
    expect(body.kinds.spend.last_received_at).to.equal(null);
  });

  it('rolls its windows, keeps the last receipt beyond them and counts a repeated write once', async () => {
    const repeated = entry('orders', HOUR, { accepted: 1, rejected: 2, superseded: 3 });
    await writeIngestLog(service.stores, [
      repeated,
      entry('orders', 23 * HOUR, { accepted: 10 }),
      entry('orders', 25 * HOUR, { accepted: 100 }),
      entry('orders', 8 * 24 * HOUR, { accepted: 1_000 }),
      entry('orders', 31 * 24 * HOUR, { accepted: 10_000 }),
      entry('spend', 40 * 24 * HOUR, { accepted: 5 }),
      entry('expenses', HOUR, { rejected: 5 }),
    ]);
    await writeIngestLog(service.stores, [repeated]);
    const { body } = await status();
    expect(body.kinds.orders.windows).to.deep.equal({
      '24h': { accepted: 11, rejected: 2, superseded: 3 },
      '7d': { accepted: 111, rejected: 2, superseded: 3 },
      '30d': { accepted: 1_111, rejected: 2, superseded: 3 },
    });
    expect(body.kinds.orders.last_received_at).to.equal(new Date(repeated.received_at).toISOString());
    expect(Date.parse(body.kinds.spend.last_received_at)).to.be.closeTo(Date.now() - 40 * 24 * HOUR, 60_000);
    expect(body.kinds.spend.windows['30d']).to.deep.equal(NONE);
    expect(body.kinds.expenses).to.deep.include({ last_received_at: null });
    expect(body.kinds.expenses.windows['24h'].rejected).to.equal(5);
  });

  it('lists the ten most frequent codes, ties by name, with the newest message', async () => {
    const codes = [
      'invalid_json', 'missing_field', 'unknown_field', 'invalid_type', 'invalid_value', 'invalid_money',
      'invalid_quantity', 'sum_mismatch', 'pii_rejected', 'currency_mismatch', 'line_count', 'invalid_timestamp',
    ] as const; // prettier-ignore
    await writeIngestLog(service.stores, [
      entry('orders', 2 * HOUR, { rejected: 12, errors: codes.map((code) => ({ code, count: 2, sample: 'old' })) }),
      entry('orders', HOUR, { rejected: 1, errors: [{ code: 'sum_mismatch', count: 1, sample: 'new' }] }),
      entry('orders', 31 * 24 * HOUR, { rejected: 9, errors: [{ code: 'invalid_json', count: 90, sample: 'gone' }] }),
    ]);
    const top = (await status()).body.kinds.orders.top_error_codes;
    expect(top[0]).to.deep.equal({ code: 'sum_mismatch', count: 3, sample_message: 'new' });
    const others = codes
      .filter((code) => code !== 'sum_mismatch')
      .sort()
      .slice(0, 9);
    expect(top.slice(1)).to.deep.equal(others.map((code) => ({ code, count: 2, sample_message: 'old' })));
  });

  it('counts coverage over the last thirty local days', async () => {
    const today = utcDay(Date.now() + 13 * HOUR); // Auckland is 12 or 13 hours ahead: its day, or the one after
    const row = (day: number, orders: number) => ({
      shop_id: shop.id,
      day: formatDay(day),
      computed_at: 1,
      sums: { orders, orders_costed: 1, orders_tax_present: orders },
    });
    const rows = [row(today - 5, 4), row(today - 28, 4), row(today - 32, 92)];
    await onEachServer(service, (server) => server.insert('daily_orders', rows));
    expect((await status()).body.coverage).to.include({
      cogs_complete: 25,
      gateway_fee_actual: 0,
      tax_present: 100,
      orders: 8,
      orders_without_cost: 6,
      orders_without_tax: 0,
    });
  });

  it('gives the same answer in every process for ten seconds', async () => {
    let rounds = 0;
    let began: number;
    let answers: Answer[];
    do {
      // Once more where a busy machine took longer than the answer is kept.
      rounds++;
      await forget();
      began = Date.now();
      answers = await Promise.all([status(), status(other), status(), status(other)]);
      await writeIngestLog(service.stores, [entry('orders', HOUR, { accepted: 7 })]);
      answers.push(await status(other), await status());
    } while (Date.now() - began > 10_000);
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).to.equal(1);
    for (const { body } of answers) expect(body).to.deep.equal(answers[0]?.body);
    const left = await service.stores.redis.pttl(`answer:status:{${shop.id}}`);
    expect(left).to.be.within(9_900 - (Date.now() - began), 10_000);
    await forget();
    const fresh = await status();
    expect(fresh.body.kinds.orders.windows['24h'].accepted).to.equal(7 * rounds);
    expect(fresh.headers.get('etag')).not.to.equal(answers[0]?.headers.get('etag'));
  });

  it('answers 304 to a matching If-None-Match, also after the state was recomputed without a change', async () => {
    const etag = (await status()).headers.get('etag') ?? '';
    expect(etag).to.match(/^"[A-Za-z0-9_-]{27}"$/);
    await forget();
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, `W/"x",W/${etag} , "y"`, '*', ' * ']) {
      const answer = await status(service, { 'If-None-Match': header });
      expect([answer.status, answer.body, answer.headers.get('etag')], header).to.deep.equal([304, '', etag]);
      expect(answer.headers.get('x-request-id')).to.be.a('string');
    }
    for (const header of ['"other"', etag.slice(1, -1), `${etag.slice(0, -2)}"`, '']) {
      expect((await status(service, { 'If-None-Match': header })).status, header).to.equal(200);
    }
  });

  it('answers 503 with Retry-After when the warehouse is away, never an old answer', async () => {
    const cut = await startService({ workers: false, env: { CLICKHOUSE_URL: 'http://127.0.0.1:1' } });
    try {
      await status(); // so that key and source are known without the warehouse
      expect((await status(cut)).status, 'still within its ten seconds').to.equal(200);
      await forget();
      const answer = await status(cut, { 'If-None-Match': '*' });
      expect(answer.status).to.equal(503);
      expect(answer.body.errors[0].code).to.equal('store_unavailable');
      expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
      expect(answer.headers.get('etag')).to.equal(null);
    } finally {
      await cut.stop();
    }
  });

  it('refuses query parameters that it does not know', async () => {
    const answer = await service.call('GET', '/v1/ingest/status?window=24h', { key: shop.key });
    expect([answer.status, answer.body.errors[0].code]).to.deep.equal([400, 'unknown_field']);
  });
});
