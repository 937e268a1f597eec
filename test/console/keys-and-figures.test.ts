import { expect } from 'chai';
import { useService } from '../support/service.js';
import { json, OPERATOR_ENV, refusalOf, signInAsOperator, type Operator } from './support.js';

const order = (id: string) => ({
  order_id: id,
  placed_at: '2026-03-01T12:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', quantity: '3', unit_price: '33.333333', unit_cost: '10.10' }],
  total: '99.999999',
});

describe('keys and figures in the app', () => {
  const service = useService({ env: OPERATOR_ENV });
  let operator: Operator;
  before(async () => {
    operator = await signInAsOperator(service);
  });

  const keysOf = async (shop: string) => (await json(await operator.get(`/app/api/shops/${shop}/keys`))).keys;
  const statusWith = async (key: string) => (await service.call('GET', '/v1/source', { key })).status;

  it('lists hundreds of shops of which Redis has no copy', async () => {
    const shop_ids = Array.from({ length: 300 }, (_, i) => `copied-${process.pid}-${i}`);
    const fields = { platform: 'test', currency: 'EUR', timezone: 'UTC', version: 1 };
    await service.stores.warehouse.insert(
      'sources',
      shop_ids.map((shop_id) => ({ shop_id, ...fields })),
    );
    const { shops } = await json(await operator.get('/app/api/shops'));
    const listed = shops.map((shop: { shop_id: string }) => shop.shop_id);
    expect(listed).to.include.members(shop_ids);
  });

  it('gives figures to the byte as the public API does, and nothing but reads', async () => {
    const shop = await service.shop();
    await shop.call('POST', '/v1/orders', { orders: [order('1'), order('2')] });
    await service.settled();
    const range = 'from=2026-02-01&to=2026-03-31';
    for (const path of [
      `/v1/metrics?${range}`,
      `/v1/metrics/daily?${range}`,
      '/v1/metrics/definitions',
      '/v1/source',
    ]) {
      const own = await fetch(service.url + path, { headers: { Authorization: `Bearer ${shop.key}` } });
      const app = await operator.get(`/app/api/shops/${shop.id}${path}`);
      expect(app.status, path).to.equal(200);
      expect(await app.text(), path).to.equal(await own.text());
    }
    const inverted = await operator.get(`/app/api/shops/${shop.id}/v1/metrics?from=2026-02-02&to=2026-02-01`);
    expect(await refusalOf(inverted)).to.equal('400 invalid_range');
    expect((await operator.get(`/app/api/shops/${shop.id}/v1/costs/expenses`)).status).to.be.oneOf([403, 404]);
    expect((await operator.post(`/app/api/shops/${shop.id}/v1/orders`, { orders: [order('3')] })).status).to.equal(404);
    expect((await operator.get('/app/api/shops/v1/v1/metrics')).status).to.equal(409);
    expect((await operator.get('/app/api/shops/..%2Fx/v1/metrics')).status).to.equal(404);
  });

  it('names the key of each refused item, as of each push, to who may manage the shop', async () => {
    const shop = await service.shop();
    await shop.call('POST', '/v1/orders', {
      orders: [order('1'), { ...order('2'), customer: { email: 'a@b.example' } }],
    });
    await service.settled();
    const path = `/app/api/shops/${shop.id}/v1/ingest`;
    const { rejections } = await json(await operator.get(`${path}/rejections`));
    const { pushes } = await json(await operator.get(`${path}/pushes`));
    expect(rejections).to.have.lengthOf(1);
    expect(rejections[0]).to.include({ kind: 'orders', id: '2', key_last4: shop.key.slice(-4) });
    expect(rejections[0].request_id).to.equal(pushes[0].request_id);
    expect(JSON.stringify(rejections)).to.not.contain('b.example');
  });

  it('pushes costs of the shop and nothing else, with the token of the session alone', async () => {
    const shop = await service.shop();
    const path = `/app/api/shops/${shop.id}/v1/products/costs`;
    const costs = { costs: [{ sku: 'MUG', unit_cost: '2.5' }] };
    const tried = await json(await operator.send('PUT', `${path}?validate_only=1`, costs));
    expect(tried).to.deep.include({ accepted: 1, rejected: 0 });
    const without = await fetch(service.url + path, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Origin: service.url, Cookie: operator.cookie },
      body: JSON.stringify(costs),
    });
    expect(await refusalOf(without)).to.equal('403 csrf_token');
    expect((await shop.call('GET', '/v1/products/costs')).body.costs).to.deep.equal([]);
    await json(await operator.send('PUT', path, costs));
    await service.settled();
    const { body } = await shop.call('GET', '/v1/products/costs');
    const { received_at } = body.costs[0];
    expect(body.costs).to.deep.equal([
      { sku: 'MUG', unit_cost: '2.50', effective_from: null, currency: 'EUR', received_at },
    ]);
    for (const other of ['orders', 'costs/gateway-fees', 'hooks/none']) {
      const answer = await operator.send('PUT', `/app/api/shops/${shop.id}/v1/${other}`, {});
      expect(answer.status, other).to.be.oneOf([404, 405]);
    }
  });

  it('makes keys of each kind with the powers asked for, and no others', async () => {
    const { id } = await service.shop();
    const make = (body: unknown) => operator.post(`/app/api/shops/${id}/keys`, body);
    const secret = await json(await make({ kind: 'secret', scopes: ['read'] }), 201);
    expect(secret.key).to.match(/^sk_svc_[0-9a-f]{64}$/);
    expect(secret).to.deep.include({ scopes: ['read'], prefix: 'sk_svc_', last_four: secret.key.slice(-4) });
    const refused = await service.call('POST', '/v1/orders', { key: secret.key, body: { orders: [order('1')] } });
    expect(refused.status).to.equal(403);
    expect(secret.name).to.equal('');
    expect((await json(await make({ kind: 'pixel', name: ' checkout ' }), 201)).name).to.equal('checkout');
    expect((await json(await make({ kind: 'pixel' }), 201)).scopes).to.deep.equal(['collect']);
    for (const body of [
      { kind: 'publishable', scopes: ['orders:write'] },
      { kind: 'root' },
      { kind: 'secret', name: 'x'.repeat(101) },
      { kind: 'secret', name: 'two\nlines' },
      { kind: 'secret', expires_at: '2020-01-01T00:00:00Z' },
      { kind: 'secret', expires_at: 'soon' },
      { kind: 'secret', key: 'mine' },
    ]) {
      expect((await make(body)).status, JSON.stringify(body)).to.equal(400);
    }
    expect((await keysOf(id)).map(({ name }: { name: string }) => name)).to.have.members(['', '', '', 'checkout']);
  });

  it('revokes within seconds, and only keys of the shop that is named', async () => {
    const [shop, other] = [await service.shop(), await service.shop()];
    const [key] = await keysOf(shop.id);
    expect((await operator.post(`/app/api/shops/${other.id}/keys/${key.key_id}/revoke`)).status).to.equal(404);
    expect(await statusWith(shop.key)).to.equal(200);
    await json(await operator.post(`/app/api/shops/${shop.id}/keys/${key.key_id}/revoke`));
    expect(await statusWith(shop.key)).to.equal(401);
    expect((await keysOf(shop.id))[0]).to.include({ state: 'revoked' });
  });

  it('rotates: both keys work through the overlap, and without one the old key ends at once', async () => {
    const shop = await service.shop();
    const [old] = await keysOf(shop.id);
    const path = `/app/api/shops/${shop.id}/keys`;
    const fresh = await json(await operator.post(`${path}/${old.key_id}/rotate`, { overlap_hours: 24 }), 201);
    expect(fresh.scopes).to.deep.equal(old.scopes);
    expect([await statusWith(shop.key), await statusWith(fresh.key)]).to.deep.equal([200, 200]);
    const ends = (await keysOf(shop.id)).find((key: { key_id: string }) => key.key_id === old.key_id).expires_at;
    expect(Date.parse(ends) - Date.now()).to.be.within(23.9 * 3_600_000, 24 * 3_600_000);

    const last = await json(await operator.post(`${path}/${fresh.key_id}/rotate`, { overlap_hours: 0 }), 201);
    expect([await statusWith(fresh.key), await statusWith(last.key)]).to.deep.equal([401, 200]);
  });

  it('makes shops, closes them and opens them again', async () => {
    const id = `made-${process.pid}`;
    const source = { platform: 'custom', currency: 'GBP', timezone: 'Europe/London' };
    await json(await operator.post('/app/api/shops', { shop_id: id, source }), 201);
    expect((await operator.post('/app/api/shops', { shop_id: id, source })).status).to.equal(400);
    expect((await operator.post('/app/api/shops', { shop_id: '../x', source })).status).to.equal(400);
    const find = async () =>
      (await json(await operator.get('/app/api/shops'))).shops.find((shop: { shop_id: string }) => shop.shop_id === id);
    const { clock, ...found } = await find();
    expect(new Set(clock.offsets)).to.deep.equal(new Set([0, 3_600]));
    expect(clock.starts).to.have.length(clock.offsets.length);
    expect(found).to.deep.equal({
      shop_id: id,
      keys: 0,
      ...source,
      closed_at: null,
      alerts: [],
      has_orders: false,
    });
    await json(await operator.post(`/app/api/shops/${id}/close`));
    expect((await find()).closed_at).to.be.a('string');
    const status = async () => (await json(await operator.get(`/app/api/shops/${id}/v1/source`))).status;
    expect(await status()).to.equal('uninstalled');
    await json(await operator.post(`/app/api/shops/${id}/reopen`));
    expect(await status()).to.equal('connected');
  });
});
