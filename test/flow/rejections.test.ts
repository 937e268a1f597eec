import { expect } from 'chai';
import { paidOrder as order } from '../support/paid-order.js';
import { useFreshShop, useService, type Answer } from '../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are plain JSON, as any client reads them */

const MEANING = {
  sum_mismatch: 'The parts of the order do not add up to its total; `computed` and `supplied` show both.',
  invalid_type: 'A field has the wrong JSON type.',
};

describe('rejected items', function () {
  this.timeout(240_000);
  const service = useService();
  const shop = useFreshShop(service);

  const list = async (query = '', of = shop): Promise<any> => {
    await service.settled();
    const { status, body } = await of.call('GET', `/v1/ingest/rejections${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const send = (method: string, path: string, body: unknown, requestId = 'my-request'): Promise<Answer> =>
    service.call(method, path, { key: shop.key, body, headers: { 'X-Request-Id': requestId } });

  it('are listed with their faults, payload, key and request, and the accepted ones are not', async () => {
    const before = Date.now();
    const bad = order('bad', { total: '9.99' });
    const { body } = await send('POST', '/v1/orders', { orders: [order('good'), bad, 7] });
    const { rejections, next } = await list();
    expect(next).to.equal(undefined);
    expect(rejections).to.have.length(2);
    const [first, second] = rejections;
    expect(first).to.deep.equal({
      at: first.at,
      kind: 'orders',
      id: 'bad',
      errors: body.results[1].errors.map((error: any) => ({ ...error, message: MEANING.sum_mismatch })),
      payload: bad,
      key_last4: shop.key.slice(-4),
      request_id: 'my-request',
    });
    expect(Date.parse(first.at)).to.be.within(before, Date.now());
    expect(second).to.deep.include({ id: null, errors: [{ code: 'invalid_type', message: MEANING.invalid_type }] });
    expect(second).not.to.have.property('payload');
  });

  it('are kept of every kind of push, and found by kind and code', async () => {
    await send('POST', '/v1/orders', { orders: [order('o', { total: 10 })] });
    const spend = { channel: 'Radio', event_date: '2026-03-01', currency: 'EUR', spend: '-1' };
    await send('POST', '/v1/costs/spend', { rows: [spend] });
    const cost = { sku: 'A', unit_cost: 'x' };
    await send('PUT', '/v1/products/costs', { costs: [cost, { sku: 'B', unit_cost: '1' }] });
    const expense = { external_id: 'rent', amount: '1e3' };
    expect((await send('POST', '/v1/costs/expenses', expense)).status).to.equal(400);
    expect((await send('PATCH', '/v1/costs/expenses/gone', { name: 'Gone' })).status).to.equal(400);
    const { rejections } = await list();
    expect(rejections.map(({ kind, id, payload }: any) => [kind, id, payload])).to.deep.equal([
      ['expenses', 'gone', { name: 'Gone' }],
      ['expenses', 'rent', expense],
      ['product_costs', 'A', cost],
      ['spend', 'custom:radio', spend],
      ['orders', 'o', order('o', { total: 10 })],
    ]);
    const ids = async (query: string): Promise<unknown> => (await list(query)).rejections.map(({ id }: any) => id);
    expect(await ids('?kind=expenses')).to.deep.equal(['gone', 'rent']);
    expect(await ids('?code=money_must_be_string')).to.deep.equal(['o']);
    expect(await ids('?kind=spend&code=money_must_be_string')).to.deep.equal([]);
  });

  it('are not kept of a push that is only validated, and none of it counts in the figures', async () => {
    await send('POST', '/v1/orders?validate_only=1', { orders: [order('bad', { total: '9' })] });
    expect((await list()).rejections).to.deep.equal([]);
    await send('POST', '/v1/orders', { orders: [order('bad', { total: '9' })] });
    await list();
    expect((await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01')).body).to.include({ orders: 0 });
  });

  it('hold no personal data, neither in the payload nor in the faults', async () => {
    const secrets = ['ann@example.com', '+1 555 123 4567', '(555) 123-4567'];
    const [email, phone, local] = secrets;
    const items = [
      order('1', { customer: { id: email }, order_name: local }),
      order('2', { email, phone, 'bob@example.com': 1, customer: { id: 'c', name: 'Ann Ash' } }),
      order('3', { currency: email, total: '1', payment_gateway: phone }),
      order('4', { total: '1', line_items: [{ line_id: '1', quantity: '1', unit_price: '2', title: `for ${email}` }] }),
      order('5', { total: '1', line_items: { name: email } }),
    ];
    await send('POST', '/v1/orders', { orders: items });
    const { rejections } = await list();
    expect(rejections).to.have.length(5);
    const text = JSON.stringify(rejections);
    for (const secret of [...secrets, 'bob@', 'Ann Ash']) expect(text).not.to.include(secret);
    expect(rejections[0].payload).to.deep.equal(order('1', { order_name: '[removed]' }));
    expect(rejections[3].payload.line_items[0]).to.deep.include({ title: '[removed]', unit_price: '2' });
  });

  it('are cut to 16 KB and marked as cut', async () => {
    const line_items = Array.from({ length: 500 }, (_, i) => ({
      line_id: `${i}`,
      quantity: '1',
      unit_price: '1',
      title: `ü${'x'.repeat(900)}`,
    }));
    await send('POST', '/v1/orders', { orders: [order('big', { line_items })] });
    const [{ payload, cut }] = (await list()).rejections;
    expect(cut).to.equal(true);
    expect(Buffer.byteLength(JSON.stringify(payload))).to.be.within(14 * 1024, 16 * 1024);
    expect(payload).to.include({ order_id: 'big', total: '10' });
    expect(payload.line_items[0]).to.deep.equal(line_items[0]);
  });

  it('come in pages without a gap or a repeat, also while more are rejected', async () => {
    for (const push of ['a', 'b', 'c']) {
      await send('POST', '/v1/orders', { orders: [1, 2, 3, 4].map((i) => order(`${push}${i}`, { total: '1' })) });
    }
    const wanted = ['c', 'b', 'a'].flatMap((push) => [1, 2, 3, 4].map((i) => `${push}${i}`));
    const seen: string[] = [];
    let page = await list('?limit=5');
    await send('POST', '/v1/orders', { orders: [order('new', { total: '1' })] });
    for (;;) {
      seen.push(...page.rejections.map(({ id }: any) => id));
      if (page.next === undefined) break;
      page = await list(`?limit=5&cursor=${page.next}`);
    }
    expect(seen).to.deep.equal(wanted);
  });

  it('are kept up to a limit per shop and hour, whatever a client sends, without an effect on other shops', async () => {
    const costs = Array.from({ length: 1_000 }, (_, i) => ({ sku: `${i}`, unit_cost: 'x', note: 'y'.repeat(500) }));
    const hour = (): number => Math.floor(Date.now() / 3_600_000);
    const first = hour();
    for (let i = 0; i < 16; i++)
      expect((await send('PUT', '/v1/products/costs', { costs })).body.rejected).to.equal(1_000);
    const hours = hour() - first + 1;
    await service.settled();
    const [kept] = await service.stores.warehouse.query<{ rows: string; bytes: string }>(
      `SELECT count() AS rows, sum(length(errors) + length(payload)) AS bytes FROM rejections FINAL
       WHERE shop_id = {shop:String}`,
      { shop: shop.id },
    );
    expect(Number(kept?.rows)).to.be.within(2_000, 21_000);
    expect(Number(kept?.bytes)).to.be.within(1024 * 1024, hours * 4 * 1024 * 1024);
    expect((await shop.call('GET', '/v1/ingest/status')).body.kinds.product_costs.windows['24h'].rejected).to.equal(
      16_000,
    );

    const other = await service.shop();
    await other.call('POST', '/v1/orders', { orders: [order('bad', { total: '1' })] });
    expect((await list('', other)).rejections).to.have.length(1);
  });

  it('are seen by a secret key of their shop alone', async () => {
    await send('POST', '/v1/orders', { orders: [order('bad', { total: '1' })] });
    expect((await list('', await service.shop())).rejections).to.deep.equal([]);
    for (const kind of ['publishable', 'pixel'] as const) {
      const key = await service.key(shop.id, kind);
      const { status, body } = await service.call('GET', '/v1/ingest/rejections', { key });
      expect([status, body.errors[0].code], kind).to.deep.equal([403, 'forbidden_scope']);
    }
  });

  it('refuses what a query may not hold, all at once', async () => {
    const { status, body } = await shop.call('GET', '/v1/ingest/rejections?kind=x&code=&limit=0&cursor=e30&nope=1');
    expect(status).to.equal(400);
    expect(body.errors.map(({ code, field }: any) => `${code} ${field}`)).to.have.members([
      'invalid_value kind',
      'invalid_value code',
      'invalid_value limit',
      'invalid_value cursor',
      'unknown_field nope',
    ]);
  });
});
