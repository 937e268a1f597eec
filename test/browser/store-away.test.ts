import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startClickHouse } from '../../src/embedded/engines/clickhouse.js';
import { joinAs, signInAsOperator } from '../console/support.js';
import { quietLog, startEngines, type Engines } from '../support/engines.js';
import { environmentOf } from '../support/service.js';
import { audit } from './support/axe.js';
import { become, order, useApp } from './support/app.js';
import { quiet } from './support/quiet.js';

describe('the app while the store of figures is away', () => {
  let engines: Engines;
  let store: { stop: () => Promise<void> };
  let isAway = false;
  const { service, open, sellingShop } = useApp(async () => {
    engines = await startEngines();
    store = engines.clickhouse;
    return environmentOf(engines);
  });
  const stopStore = (): Promise<void> => {
    isAway = true;
    return store.stop();
  };
  const startStore = async (): Promise<void> => {
    const { dataDir, clickhouse } = engines;
    store = await startClickHouse({
      dataDir: join(dataDir, 'clickhouse'),
      httpPort: clickhouse.httpPort,
      log: quietLog,
    });
    isAway = false;
  };
  afterEach(async () => {
    if (isAway) await startStore();
  });
  after(async () => {
    await store.stop();
    await engines.stop();
  });

  const loud = (page: Page) => page.locator('[data-figure=earnings] data');
  const isEarned = (page: Page, value: string) =>
    loud(page)
      .and(page.locator(`[value="${value}"]`))
      .waitFor();
  const kept = (page: Page) => page.evaluate<string | null>("sessionStorage.getItem('kept')");

  it('shows what was read last, and of when it is, when it is loaded again, until the store is back', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}`);
    await isEarned(page, '1512.255');
    await quiet(page);
    await stopStore();
    const taken = await shop.call('POST', '/v1/orders', { orders: [order('3')] });
    expect(taken.body.accepted).to.equal(1);
    await page.reload();
    const bar = page.locator('.stopped:visible');
    await bar.filter({ hasText: /These are the figures of .*\d\d:\d\d\..*new orders are still taken/ }).waitFor();
    await page.locator('.hero .badge', { hasText: /^as of .*\d\d:\d\d$/ }).waitFor();
    await quiet(page);
    expect(await loud(page).getAttribute('value')).to.equal('1512.255');
    expect(await page.locator('.plot a').count()).to.equal(30);
    await page.getByRole('link', { name: 'Lines without a SKU' }).waitFor();
    expect([await bar.count(), await page.locator('.trouble:visible').count()]).to.deep.equal([1, 0]);
    expect(await audit(page)).to.deep.equal([]);

    await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
    await page.getByText('No orders until then.').waitFor();
    expect(await page.locator('main data').count(), 'it was not read before').to.equal(0);

    await startStore();
    await service().settled();
    await page.goBack();
    await isEarned(page, '2368.385');
    await page.locator('.stopped').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await kept(page)).to.equal(null);
  });

  it('shows nothing of another person, nor in place of a refusal', async () => {
    const shop = await sellingShop();
    const person = await joinAs(service(), await signInAsOperator(service()), { role: 'viewer', shops: [shop.id] });
    const { page } = await open(`/shop/${shop.id}`);
    await isEarned(page, '1512.255');
    await quiet(page);
    await stopStore();
    const errors = [{ code: 'invalid_value', message: 'These days can’t be read.' }];
    await page.route('**/v1/metrics?**', (route) => route.fulfill({ status: 400, json: { errors } }));
    await page.reload();
    await page.getByText('These days can’t be read. No figures until then.').waitFor();
    await page.locator('.plot a').first().waitFor();
    expect(await page.locator('.hero .loud data, .statement data').count()).to.equal(0);
    await page.unroute('**/v1/metrics?**');
    expect(await kept(page)).to.contain(shop.id);

    await become(page, service(), person);
    await page.goto(`${service().url}/shop/${shop.id}`);
    await page.getByText(/No shops until then\./).waitFor();
    await quiet(page);
    expect(await page.locator('main data').count()).to.equal(0);
    await page.reload();
    await page.getByText(/No shops until then\./).waitFor();
    expect(await kept(page)).not.to.contain(shop.id);
  });
});
