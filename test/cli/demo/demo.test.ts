import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { runDemo, type DemoSummary } from '../../../src/cli/demo/demo.js';
import { runSampleDemo } from '../../../src/cli/demo/sample-demo.js';
import { formatScaled } from '../../../src/domain/micros.js';
import { keptPort } from '../../support/remembered-port.js';
import { makeSampleShop, SAMPLE_SHOP } from '../../../src/sample/sample-shop.js';
import { json, OPERATOR_ENV, signInAsOperator } from '../../console/support.js';
import { until } from '../../embedded/processes.js';
import { startEngines, type Engines } from '../../support/engines.js';
import { environmentOf, startService, useService, type Service } from '../../support/service.js';

describe('runDemo', () => {
  const service = useService();

  async function run(key: string): Promise<{ summary: DemoSummary; printed: string }> {
    const stdout = new PassThrough();
    const summary = await runDemo({
      url: service.url,
      key,
      hints: (range) => Promise.resolve([`a hint of ${range}`]),
      stdout,
      signal: new AbortController().signal,
    });
    return { summary, printed: String(stdout.read()) };
  }

  it('imports the real month, shows its profit by day equal to the independent figures, and may run again', async () => {
    const key = await service.key('demo-month');
    const { summary, printed } = await run(key);
    expect(summary).to.deep.equal({ exitCode: 0, differences: [] });
    expect(printed).to.contain('All 20 trading days equal the independent figures to the last digit.');
    expect(printed).to.match(/^date +orders +revenue +refunds +net revenue +COGS +fees +ad spend +net profit$/m);
    expect(printed).to.match(/^2010-12-01 +\d+ +58960\.79 +325\.23 +58635\.56 /m);
    expect(printed).to.match(/^2010-12-04 +0 +0\.00 +0\.00 +0\.00 /m);
    expect(printed).to.match(/^total +1573 +823746\.14 +74789\.12 +748957\.02 /m);
    expect(printed).to.contain(`  a hint of from=2010-12-01&to=2010-12-23\n  ${service.url}/docs`);
    expect(printed).not.to.contain('sk_svc_');

    const table = (text: string) => text.slice(text.indexOf('date '), text.indexOf('All 20'));
    const again = await run(key);
    expect(again.summary.exitCode).to.equal(0);
    expect(table(again.printed)).to.equal(table(printed));
  }).timeout(600_000);

  it('names the days that other data in the shop changes', async () => {
    const key = await service.key('demo-mixed');
    const call = (method: string, path: string, body: unknown) => service.call(method, path, { key, body });
    await call('PUT', '/v1/source', { platform: 'other', currency: 'GBP', timezone: 'Europe/London' });
    const line = { line_id: '1', quantity: '1', unit_price: '10' };
    const order = { order_id: 'own', placed_at: '2010-12-04T12:00:00Z', currency: 'GBP', status: 'paid', total: '10' };
    await call('POST', '/v1/orders', { orders: [{ ...order, line_items: [line] }] });
    const stdout = new PassThrough().resume();
    const { exitCode, differences } = await runDemo({
      url: service.url,
      key,
      stdout,
      signal: new AbortController().signal,
    });
    expect(exitCode).to.equal(1);
    expect(differences).to.deep.equal(['2010-12-04: orders is 1, not 0', '2010-12-04: revenue is 10.00, not 0.00']);
  }).timeout(600_000);

  it("fails with the service's message when another currency is registered", async () => {
    const key = await service.key('demo-locked');
    const call = (method: string, path: string, body: unknown) => service.call(method, path, { key, body });
    await call('PUT', '/v1/source', { platform: 'other', currency: 'EUR', timezone: 'Europe/London' });
    const line = { line_id: '1', quantity: '1', unit_price: '10' };
    const order = { order_id: 'own', placed_at: '2010-12-04T12:00:00Z', currency: 'EUR', status: 'paid', total: '10' };
    await call('POST', '/v1/orders', { orders: [{ ...order, line_items: [line] }] });
    const failure = await run(key).catch((error: unknown) => error);
    expect(String(failure)).to.contain('PUT /v1/source was answered with 409').and.to.contain('source_locked');
  });
});

describe('the sample shop', () => {
  // Other files make the sample shop too, of which there is one.
  let engines: Engines;
  let service: Service;
  let shops: () => Promise<string[]>;
  let offered: string[];

  before(async function () {
    this.timeout(600_000);
    engines = await startEngines();
    const base = await environmentOf(engines);
    service = await startService({ env: OPERATOR_ENV, base });
    const port = await keptPort();
    // So few a second that the last orders come well after the first.
    const env = { ...base, ...OPERATOR_ENV, PORT: String(port), RATE_LIMIT_WRITES: '3' };
    const api = spawn(process.execPath, ['dist/src/main.js'], { env: { ...process.env, ...env }, stdio: 'ignore' });
    const ended = once(api, 'exit');
    const url = `http://127.0.0.1:${port}`;
    const { sources } = service.stores;
    try {
      await until('it listens', async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200);
      const killed = await signInAsOperator({ url });
      const making = killed.post('/app/api/sample-shop').catch(() => 'killed');
      await until('an order is taken', async () => (await sources.find(SAMPLE_SHOP, { fresh: true }))?.lockedAt);
      api.kill('SIGKILL');
      expect(await making).to.equal('killed');
    } finally {
      api.kill('SIGKILL');
      await ended;
    }
    const operator = await signInAsOperator(service);
    shops = async () =>
      (await json(await operator.get('/app/api/shops'))).shops.map((shop: { shop_id: string }) => shop.shop_id);
    offered = await shops();
    await json(await operator.post('/app/api/sample-shop'), 201);
    await service.settled();
  });
  after(async () => {
    await service.stop();
    await engines.stop();
  });

  it('is offered until all of it is there, though the process that made it was killed, and counts once', async () => {
    expect(offered).not.to.include(SAMPLE_SHOP);
    expect(await shops()).to.include(SAMPLE_SHOP);
    // As if it had been made at once: by what was to be sent, up to yesterday, of which nothing changes while it is made.
    const { days, orders, spend, batches } = makeSampleShop(Date.now());
    const past = orders.filter((order) => !order.placed_at.startsWith(dayAgo(0)));
    const seen = new Set(batches.flatMap(({ events }) => events.map((event) => event.order_id)));
    const key = await service.key(SAMPLE_SHOP);
    const range = `from=${days[0]}&to=${dayAgo(1)}`;
    const sum = (amounts: string[]) =>
      formatScaled(
        amounts.reduce((all, one) => all + BigInt(one.replace('.', '')), 0n),
        2,
      );
    expect((await service.call('GET', `/v1/metrics?${range}`, { key })).body).to.include({
      orders: past.length,
      revenue: sum(past.map(({ total }) => total)),
      ad_spend: sum(spend.filter((row) => row.event_date !== dayAgo(0)).map((row) => row.spend)),
    });
    const { channels } = (await service.call('GET', `/v1/attribution?${range}`, { key })).body;
    const credited = channels.map((one: { channel: string; orders: number }) =>
      one.channel === 'unattributed' ? 0 : one.orders,
    );
    expect(credited.reduce((all: number, one: number) => all + one, 0)).to.equal(
      past.filter(({ order_id }) => seen.has(order_id)).length,
    );
  }).timeout(600_000);

  it('makes a shop in which an ad, a product and a missing cost are to be found, of visits that are proved', async () => {
    const stdout = new PassThrough();
    const { stores, deps, url } = service;
    const { keys, sources, now } = stores;
    const run = () =>
      runSampleDemo({
        url,
        keys,
        sources,
        now,
        stdout,
        producer: deps.producer,
        shardOf: stores.shards.of,
        hints: (range) => Promise.resolve([`a hint of ${range}`]),
        signal: new AbortController().signal,
      });
    const key = await service.key(SAMPLE_SHOP);
    const read = async (path: string) => (await service.call('GET', path, { key })).body;
    const range = (from: number, to: number) => `from=${dayAgo(from)}&to=${dayAgo(to)}`;
    const past = `/v1/metrics?${range(89, 1)}&include=statement,coverage`;
    const first = await read(past);
    await run();
    const printed = String(stdout.read());
    await service.settled();
    const now30 = await read(`/v1/metrics?${range(29, 0)}&include=statement,coverage`);
    const before = await read(`/v1/metrics?${range(59, 30)}&include=statement,coverage`);
    expect(Number(now30.statement.earnings)).to.be.within(1_000, Number(before.statement.earnings) - 1_000);
    expect(now30.coverage).to.include({ products_without_cost: 1, orders_without_tax: 0, orders_without_fee: 0 });

    const { channels } = await read(`/v1/attribution?${range(29, 0)}&include=losses`);
    for (const { channel: name, orders } of channels)
      expect(printed, 'credit that is complete').to.match(new RegExp(`${name} +${orders} orders`));
    const channel = (name: string) => channels.find((one: { channel: string }) => one.channel === name);
    expect(Number(channel('tiktok_ads').profit)).to.be.lessThan(-100);
    for (const name of ['tiktok_ads', 'google_ads', 'organic_search'])
      expect(channel(name).proved.orders, name).to.equal(channel(name).orders).and.be.greaterThan(5);
    const { losses } = await read(`/v1/attribution?${range(29, 1)}&include=losses`);
    expect(new Set(losses.map(({ cause }: { cause: string }) => cause))).to.deep.equal(new Set(['not_named']));

    const { products } = await read(`/v1/products?${range(29, 0)}`);
    const losing = products.filter(({ gross_profit: profit }: { gross_profit: string }) => profit.startsWith('-'));
    expect(losing.map(({ sku }: { sku: string }) => sku)).to.deep.equal(['VASE-60']);
    expect(printed)
      .to.contain(`a hint of ${range(29, 0)}`)
      .and.match(/tiktok_ads +\d+ orders +-\d+\.\d+ EUR/);
    expect(printed).not.to.contain('_svc_');

    expect(await read(past), 'the same, pushed again').to.deep.equal(first);
    const live = (await stores.keys.list(SAMPLE_SHOP)).filter(({ revokedAt }) => revokedAt === null);
    expect(
      live
        .map(({ name }) => name)
        .filter((name) => name !== '')
        .sort(),
    ).to.deep.equal(['Shop backend', 'Website']);
  }).timeout(600_000);
});

/** In the zone of the shop. */
const dayAgo = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.now() - days * 86_400_000);
