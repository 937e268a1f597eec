import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createKey } from '../../src/cli/commands/keys.js';
import { createWarehouse } from '../../src/warehouse/client.js';
import type { Service } from '../support/service.js';
import { order, today, useApp } from './support/app.js';
import { quiet } from './support/quiet.js';

describe('the app in a browser', () => {
  const { service, open, sellingShop } = useApp();

  const lines = (page: Page): Promise<Record<string, string>> =>
    page
      .locator('.statement data[data-row]')
      .evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.row, one.getAttribute('value') ?? ''])));

  it('makes a shop and a key in the page; the shown curl pushes an order; the key is nowhere afterwards', async () => {
    const { page, faults } = await open('/developers');
    const id = `curl-${randomUUID().slice(0, 8)}`;
    // Where there is no shop yet, the form stands there once that is known.
    await quiet(page);
    const adding = page.getByRole('button', { name: 'New shop' });
    if (!(await page.getByLabel('Shop id').isVisible())) await adding.click();
    await page.getByLabel('Shop id').fill(id);
    await page.getByLabel('Currency').selectOption('GBP');
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByRole('button', { name: 'Create shop' }).click();
    // The panels of the shop before, which may have no key either, stand there until the answer.
    await page.locator('option:checked', { hasText: id }).waitFor({ state: 'attached' });
    await page.getByText('No key works at the moment').waitFor();

    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByText('whoever has it sees revenue, costs and profit').waitFor();
    await page.getByLabel('Name (optional)').fill('sync of the shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('group', { name: 'API key' }).innerText();
    expect(key).to.match(/^sk_svc_[0-9a-f]{64}$/);
    const command = await page.getByRole('group', { name: 'Push an order' }).innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Waiting for your first order…').waitFor();
    // The page finds out by itself why an order was refused, and that one has come.
    await run(command.replace('"total": "44.00"', '"total": "45.00"'));
    await page.getByRole('status').getByText('The parts of the order do not add up').waitFor();
    await page.getByRole('link', { name: 'Python' }).click();
    expect(await page.getByRole('group', { name: 'The first order, in Python' }).innerText()).to.contain(
      'urllib.request',
    );
    await page.getByRole('link', { name: 'curl', exact: true }).click();
    const again = await page.getByRole('group', { name: 'The first order, in curl' }).innerText();
    expect(again).to.contain('Bearer $PROFIT_KEY').and.not.contain(key.slice(8));
    expect(JSON.parse(await run(again, { PROFIT_KEY: key }))).to.include({ accepted: 1, rejected: 0 });
    await page.getByText('Your first order has arrived').waitFor();
    await page.locator('.loud data[value="29.00"]').waitFor();
    const reading = await page.getByRole('group', { name: 'Read the figures of the last 30 days' }).innerText();
    expect(JSON.parse(await run(reading, { PROFIT_KEY: key }))).to.include({ net_profit: '29.00' });

    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    const row = page.getByRole('row', { name: new RegExp(`sk_svc_…${key.slice(-4)}`) });
    await row.waitFor();
    expect(await row.innerText()).to.contain('sync of the shop');
    expect(await page.content()).to.not.contain(key);
    await page.reload();
    await row.waitFor();
    expect(await page.content()).to.not.contain(key);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).to.not.contain(key);
    expect(await everythingStored(service()))
      .to.contain(key.slice(-4))
      .and.not.contain(key.slice(8));

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.locator('data[data-row=net_profit]').waitFor();
    expect(await lines(page)).to.include({ revenue: '44.00', cogs: '-15.00', net_profit: '29.00' });
    expect(faults).to.deep.equal([]);
  });

  it('shows the figures of /v1/metrics, in the currency of the shop, and asks no other host', async () => {
    const shop = await sellingShop();
    const { page, faults, hosts } = await open(`/shop/${shop.id}?figure=net_profit`);
    await page.locator('data[data-metric=orders]').waitFor();
    const to = today();
    const from = new Date(Date.parse(to) - 29 * 86_400_000).toISOString().slice(0, 10);
    const { body } = await shop.call('GET', `/v1/metrics?from=${from}&to=${to}`);
    for (const name of ['orders', 'aov', 'blended_roas', 'mer']) {
      const value = await page.locator(`data[data-metric=${name}]`).getAttribute('value');
      expect(value ?? '', name).to.equal(String(body[name] ?? ''));
    }
    expect(await lines(page)).to.include({ revenue: body.revenue, net_profit: body.net_profit });
    expect(await page.locator('data[data-row=revenue]').first().innerText()).to.equal('£2,469.00');
    expect(await page.locator('data[data-row=refunds]').first().innerText()).to.equal('−£200.005');
    expect(await page.locator('data[data-metric=blended_roas]').innerText()).to.equal('–');
    const { body: catalogue } = await shop.call('GET', '/v1/metrics/definitions');
    const definitions = catalogue.metrics as { key: string; description: string }[];
    const description = definitions.find(({ key }) => key === 'net_profit')?.description ?? '';
    await page.locator('.sheet').getByText(description).waitFor();
    expect(faults).to.deep.equal([]);
    expect([...hosts]).to.deep.equal([new URL(service().url).host]);
  });

  it('shows new orders without being asked', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}?figure=revenue&view=days`);
    await page.locator('data[data-metric=orders][value="2"]').waitFor();
    await page.locator('.sheet tbody tr').first().waitFor();
    await shop.call('POST', '/v1/orders', { orders: [order('3')] });
    await page.locator('data[data-metric=orders][value="3"]').waitFor();
    await page.locator('.sheet tbody tr').first().getByText('£3,703.50').waitFor();
  });

  it('finds the latest orders from an empty period, and keeps the period in the address', async () => {
    const shop = await service().shop({ currency: 'GBP' });
    await shop.call('POST', '/v1/orders', { orders: [order('old', { placed_at: '2011-12-09T10:00:00Z' })] });
    await service().settled();
    const { page } = await open(`/shop/${shop.id}`);
    await page.getByRole('button', { name: 'Go to the latest orders' }).click();
    await page.locator('data[data-metric=orders][value="1"]').waitFor();
    expect(new URL(page.url()).search).to.contain('from=2011-12-01&to=2011-12-09');
    await page.reload();
    await page.locator('data[data-metric=orders][value="1"]').waitFor();
    await page.locator('.range-button').click();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).to.equal('1 Dec 2011');
  });

  it('looks for the latest orders to the end, although that takes more reads than a second allows', async () => {
    const shop = await service().shop({ currency: 'GBP' });
    // It was accepted, but does not count.
    const orders = [order('pending', { status: 'pending' })];
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(1);
    const { page } = await open(`/shop/${shop.id}`);
    const find = page.getByRole('button', { name: 'Go to the latest orders' });
    await find.waitFor();
    const json = { errors: [{ code: 'rate_limited', message: 'The limit of this key is reached.' }] };
    let reads = 0;
    await page.route('**/v1/metrics?**', (route) =>
      ++reads % 10 === 0 ? route.fulfill({ status: 429, json }) : route.continue(),
    );
    await find.click();
    await page.getByText('This shop has no orders up to these days.').waitFor();
    expect(reads).to.be.greaterThan(20);
  });

  it('revokes after a question, and rotates with an overlap', async () => {
    const shop = await service().shop();
    const { page } = await open(`/developers?shop=${shop.id}&tab=keys`);
    await page.getByRole('button', { name: /^Rotate sk_svc_/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
    const fresh = await page.getByRole('group', { name: 'API key' }).innerText();
    await page.keyboard.press('Escape');
    const name = `Revoke sk_svc_…${shop.key.slice(-4)}`;
    await page.getByRole('button', { name }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect((await shop.call('GET', '/v1/source')).status).to.equal(200);
    await page.getByRole('button', { name }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name }).waitFor({ state: 'detached' });
    expect((await shop.call('GET', '/v1/source')).status).to.equal(401);
    expect((await service().call('GET', '/v1/source', { key: fresh })).status).to.equal(200);
  });

  it('shows what can be done with a key beside the longest name, wide or narrow', async () => {
    const shop = await service().shop();
    await createKey(service().stores, { shop: shop.id, kind: 'secret', name: 'a name of many words '.repeat(4) });
    for (const width of [1280, 390]) {
      const { page } = await open(`/developers?shop=${shop.id}&tab=keys`, { viewport: { width, height: 800 } });
      const revoke = page.getByRole('button', { name: /^Revoke / }).first();
      const table = page.getByRole('region', { name: 'API keys, table' });
      await revoke.waitFor();
      const [button, room] = [await revoke.boundingBox(), await table.boundingBox()];
      expect((button?.x ?? NaN) + (button?.width ?? NaN), `${width} pixels`).to.be.at.most(
        (room?.x ?? NaN) + (room?.width ?? NaN),
      );
    }
  });
});

/** What a command prints. */
async function run(command: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...env } });
  return stdout;
}

/** All texts of Redis and of the warehouse's registry and logs. */
async function everythingStored(service: Service): Promise<string> {
  const { redis } = service.stores;
  const texts: string[] = [];
  for (const name of await redis.keys('*')) {
    const type = await redis.type(name);
    if (type === 'string') texts.push(name, (await redis.get(name)) ?? '');
    else if (type === 'hash') texts.push(name, JSON.stringify(await redis.hgetall(name)));
    else texts.push(name);
  }
  const { clickhouseUrl = '', clickhouseDatabase: database } = service.config;
  const warehouse = createWarehouse({ url: clickhouseUrl, database });
  try {
    for (const table of ['api_keys', 'sources', 'ingest_log', 'orders']) {
      texts.push(JSON.stringify(await warehouse.query(`SELECT * FROM ${table}`)));
    }
  } finally {
    await warehouse.close();
  }
  return texts.join('\n');
}
