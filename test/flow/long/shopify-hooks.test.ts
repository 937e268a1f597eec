import { expect } from 'chai';
import { createSealing } from '../../../src/domain/sealing.js';
import { createLocks } from '../../../src/redis/locks.js';
import { createShopifyHookState } from '../../../src/redis/shopify-hooks.js';
import { createShopifyHooks } from '../../../src/repositories/shopify-hooks.js';
import { createShopifyHookStore } from '../../../src/warehouse/queries/shopify-hooks.js';
import { DOMAIN, hookStates, sendHook, signatureOf } from '../../support/shopify-hooks.js';
import { startService, useService, type Shop } from '../../support/service.js';

const SECRET = 'shpss_a secret that nobody sees';
const HOUR_MS = 3_600_000;

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

describe('the webhooks of Shopify', () => {
  const service = useService();
  const hookOf = async (shop: Shop, secret = SECRET, domain = DOMAIN): Promise<string> => {
    const { status, body } = await shop.call('PUT', '/v1/hooks/shopify', { secret, shop_domain: domain });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.url).to.equal(`${service.url}/v1/hooks/shopify/${body.hook_id}`);
    return body.hook_id as string;
  };
  const send = (id: string, hook: { topic: string; triggeredAt?: string; body: unknown }, secret = SECRET) =>
    sendHook(service, id, hook.body, { ...hook, secret });
  const figures = async (shop: Shop) => {
    await service.settled();
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-03');
    const { orders, revenue, refunds } = body.metrics ?? body;
    return { orders, revenue, refunds };
  };

  it('that create, pay, edit, refund and delete an order, in any order, end in the figures of its last state', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop);
    const walks = permutations(['created', 'paid', 'edited', 'refunded'] as const);
    const deletions = walks.map((walk, i) => walk.toSpliced(i % 5, 0, 'deleted' as never));
    for (const [i, walk] of [...walks, ...deletions].entries()) {
      for (const step of walk) {
        const { status, body } = await send(id, hookStates(1_001 + i)[step]);
        expect([status, body.outcome], walk.join()).to.satisfy(
          ([code, outcome]: [number, string]) => code === 200 && ['accepted', 'superseded'].includes(outcome),
        );
      }
    }
    const all = await figures(shop);
    expect(all.orders).to.equal(walks.length);
    expect(Number(all.revenue)).to.equal(walks.length * 30);
    expect(Number(all.refunds)).to.equal(walks.length * 20);
    const { body } = await shop.call('GET', '/v1/orders/1001');
    expect(body).to.deep.include({ updated_at: '2026-03-02T09:00:01.000000Z', status: 'paid' });
    expect((await shop.call('GET', '/v1/hooks/shopify')).body.last_received_at).to.be.a('string');
  });

  it('of one second are told apart by when they were triggered', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop);
    const { created, paid } = hookStates(3);
    expect((await send(id, paid)).body.outcome).to.equal('accepted');
    expect((await send(id, created)).body.outcome).to.equal('superseded');
    // What is read from the platform is the newest of the second; a hook without a time the oldest.
    const timeless = { topic: paid.topic, body: paid.body };
    expect((await send(id, timeless)).body.outcome).to.equal('superseded');
    const read = await shop.call('POST', '/v1/orders?format=shopify', paid.body);
    expect(read.body.results[0].outcome).to.equal('accepted');
    expect((await send(id, paid)).body.outcome).to.equal('superseded');
    expect((await figures(shop)).orders).to.equal(1);
  });

  it('are refused where they are forged, of another shop or unknown, and change nothing', async () => {
    const [shop, other] = [await service.shop(), await service.shop()];
    const [id, otherId] = [await hookOf(shop), await hookOf(other, 'the secret of another', 'other.myshopify.com')];
    const { paid } = hookStates(1);
    const text = JSON.stringify(paid.body);
    const forged = {
      'another secret': { secret: 'the secret of another' },
      'no signature': { secret: SECRET, signature: '' },
      'a part of the signature': { secret: SECRET, signature: signatureOf(text, SECRET).slice(0, 20) },
      'the signature of another body': { secret: SECRET, signature: signatureOf(`${text} `, SECRET) },
      'another domain': { secret: SECRET, domain: 'other.myshopify.com' },
      'no domain': { secret: SECRET, domain: '' },
    };
    for (const [what, headers] of Object.entries(forged)) {
      const { status, body } = await sendHook(service, id, text, { topic: 'orders/paid', ...headers });
      expect([status, body.errors[0].code], what).to.deep.equal([401, 'unauthorized']);
    }
    for (const wrong of [otherId, 'x', 'A'.repeat(22)]) {
      const { status } = await sendHook(service, wrong, text, { topic: 'orders/paid', secret: SECRET });
      expect(status, wrong).to.equal(401);
    }
    for (const one of [shop, other]) expect((await figures(one)).orders).to.equal(0);
    // Those of another domain are not deliveries of this shop.
    const { body } = await shop.call('GET', '/v1/hooks/shopify');
    expect(body.refused).to.equal(4);
    expect(Date.now() - Date.parse(body.last_refused_at as string)).to.be.within(0, 60_000);
    expect((await other.call('GET', '/v1/hooks/shopify')).body).not.to.have.any.keys('refused', 'last_refused_at');
    await hookOf(shop);
    expect((await shop.call('GET', '/v1/hooks/shopify')).body).not.to.have.any.keys('refused', 'last_refused_at');
  });

  it('that do not add up are among the rejections with both sums', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop);
    const { paid } = hookStates(8);
    expect((await send(id, { ...paid, body: { ...paid.body, total_price: '21.50' } })).body.outcome).to.equal(
      'rejected',
    );
    await service.settled();
    const [rejection] = (await shop.call('GET', '/v1/ingest/rejections')).body.rejections;
    expect(rejection.errors[0]).to.include({ code: 'sum_residual', computed: '20.00', supplied: '21.50' });
  });

  it('that are sent again under other headers neither bring an older state back nor delete', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop);
    const { paid, refunded, deleted } = hookStates(5);
    expect((await send(id, refunded)).body.outcome).to.equal('accepted');
    expect((await send(id, { ...paid, triggeredAt: '2030-01-01T00:00:00Z' })).body.outcome).to.equal('superseded');
    expect((await send(id, { ...refunded, topic: 'orders/delete' })).body.outcome).to.equal('accepted');
    expect((await send(id, { topic: 'orders/delete', body: { id: 5, note: null } })).body.outcome).to.equal('rejected');
    expect((await send(id, { ...deleted, topic: 'orders/updated' })).body.outcome).to.equal('rejected');
    for (const topic of ['refunds/create', 'orders/edited', 'products/update']) {
      const body = { order_edit: { id: 1, order_id: 5 } };
      expect((await send(id, { topic, body })).body.outcome, topic).to.equal('ignored');
    }
    expect((await figures(shop)).orders).to.equal(1);
    const { body } = await shop.call('GET', '/v1/ingest/rejections');
    expect(body.rejections).to.have.length(2);
    expect((await send(id, deleted)).body.outcome).to.equal('accepted');
    expect((await figures(shop)).orders).to.equal(0);
  });

  it('delete by an id that Shopify makes alone, and are refused where an object has a key twice', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop);
    const { paid } = hookStates(7);
    const own = (order_id: string) => ({
      order_id,
      placed_at: '2026-03-01T12:00:00Z',
      currency: 'EUR',
      status: 'paid',
      total: '10',
      line_items: [{ line_id: '1', quantity: '1', unit_price: '10' }],
    });
    const { body: pushed } = await shop.call('POST', '/v1/orders', { orders: ['W-1', '18', '7.5'].map(own) });
    expect(pushed.accepted).to.equal(3);
    for (const wrong of ['"W-1"', '"18"', '"gid://shopify/Order/18"', '7.5', '-18', '1e300', '[18]', 'true']) {
      const { status, body } = await send(id, { topic: 'orders/delete', body: `{"id":${wrong}}` });
      expect([status, body.outcome], wrong).to.deep.equal([200, 'rejected']);
    }
    const text = JSON.stringify(paid.body);
    const doubled = [
      { topic: 'orders/delete', body: '{"id":18,"id":7}' },
      { topic: 'orders/paid', body: text.replace('"id":7,', '"id":7,"total_price":"1.00",') },
      { topic: 'orders/paid', body: text.replace('"sku":', '"\\u0073ku":"other","sku":') },
    ];
    for (const hook of doubled) {
      const { status, body } = await send(id, hook);
      expect([status, body.errors?.[0].code], hook.body).to.deep.equal([400, 'invalid_json']);
      const asPush = await service.call('POST', '/v1/orders?format=shopify', { key: shop.key, raw: hook.body });
      expect([asPush.status, asPush.body.errors?.[0].code], hook.body).to.deep.equal([400, 'invalid_json']);
    }
    expect((await figures(shop)).orders).to.equal(3);
  });

  it('take the old secret for 24 hours more, at the same address', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop, 'first');
    const ignored = { topic: 'refunds/create', body: {} };
    for (const secret of ['second', 'second']) expect(await hookOf(shop, secret)).to.equal(id);
    const works = async (secret: string) => (await send(id, ignored, secret)).status;
    expect([await works('first'), await works('second')]).to.deep.equal([200, 200]);
    const { redis, warehouse, takeStamps } = service.stores;
    const later = createShopifyHooks({
      state: createShopifyHookState(redis),
      store: createShopifyHookStore(warehouse),
      sealing: createSealing(service.config.secretsKey ?? ''),
      takeStamps,
      withLock: createLocks(redis),
      now: () => Date.now() + 25 * HOUR_MS,
    });
    expect((await later.find(id, () => () => undefined))?.secrets).to.deep.equal(['second']);
    await hookOf(shop, 'third');
    expect(await works('first')).to.equal(401);
    expect((await shop.call('DELETE', '/v1/hooks/shopify')).status).to.equal(204);
    expect(await works('third')).to.equal(401);
    expect((await shop.call('GET', '/v1/hooks/shopify')).status).to.equal(404);
    expect((await shop.call('DELETE', '/v1/hooks/shopify')).status).to.equal(204);
    expect(await hookOf(shop)).not.to.equal(id);
  });

  it('keep their secret to themselves, and ask for it again where it was sealed with another key', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop);
    const { redis, warehouse } = service.stores;
    const rows = await warehouse.query(`SELECT * FROM shopify_hooks WHERE shop_id = {shop:String}`, { shop: shop.id });
    const kept = [JSON.stringify(rows), await redis.get(`shopify-hook:${id}`)].join();
    expect(kept).to.include(id).and.not.to.include(SECRET).and.not.to.include(Buffer.from(SECRET).toString('base64'));
    const answer = await shop.call('GET', '/v1/hooks/shopify');
    expect(answer.body).to.deep.equal({ hook_id: id, url: answer.body.url, shop_domain: DOMAIN });
    for (const secret of ['', SECRET.repeat(10), { SECRET }, `${SECRET}\ud800`]) {
      const refused = await shop.call('PUT', '/v1/hooks/shopify', { secret, shop_domain: DOMAIN });
      expect(refused.status).to.equal(400);
      expect(JSON.stringify(refused.body)).not.to.include(SECRET.slice(0, 20));
    }

    const restored = await startService({ workers: false, env: { SECRETS_KEY: 'another key than the one before' } });
    try {
      const call = (method: string, body?: unknown) =>
        restored.call(method, '/v1/hooks/shopify', { key: shop.key, ...(body !== undefined && { body }) });
      expect((await call('GET')).body.needs_secret).to.equal(true);
      const ignored = () => sendHook(restored, id, {}, { topic: 'refunds/create', secret: SECRET });
      expect((await ignored()).status).to.equal(401);
      expect((await call('PUT', { secret: SECRET, shop_domain: DOMAIN })).body.hook_id).to.equal(id);
      expect((await ignored()).status).to.equal(200);
    } finally {
      await restored.stop();
    }
  });

  it('are found in the warehouse where Redis has lost them', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop);
    await service.stores.redis.del(`shopify-hook:${id}`);
    expect((await send(id, hookStates(9).paid)).body.outcome).to.equal('accepted');
    expect(await service.stores.redis.exists(`shopify-hook:${id}`)).to.equal(1);
  });

  it('are refused where they are too large or no JSON, and where the shop has no source', async () => {
    const shop = await service.shop();
    const id = await hookOf(shop);
    const hook = (body: string) => sendHook(service, id, body, { topic: 'orders/paid', secret: SECRET });
    expect((await hook(`{"id":1,"note":"${'x'.repeat(1024 * 1024)}"}`)).status).to.equal(413);
    expect((await hook('{"id":1')).status).to.equal(400);
    const key = await service.key(`without-source-${process.pid}`);
    const made = await service.call('PUT', '/v1/hooks/shopify', { key, body: { secret: SECRET, shop_domain: DOMAIN } });
    expect((await send(made.body.hook_id as string, hookStates(1).paid)).status).to.equal(409);
  });
});
