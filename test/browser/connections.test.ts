import { expect } from 'chai';
import { createSealing } from '../../src/domain/sealing.js';
import { createLocks } from '../../src/redis/locks.js';
import { createShopifyHookState } from '../../src/redis/shopify-hooks.js';
import { createShopifyHooks } from '../../src/repositories/shopify-hooks.js';
import { createShopifyHookStore } from '../../src/warehouse/queries/shopify-hooks.js';
import { DOMAIN, hookStates, sendHook } from '../support/shopify-hooks.js';
import { order, today, useApp } from './support/app.js';
import { audit } from './support/axe.js';

describe('connections in a browser', () => {
  const { service, open } = useApp();

  it('say of each what came, what was refused or left out, and what there is to do', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    await shop.call('POST', '/v1/orders', { orders: [order('1'), order('2'), { order_id: 'refused' }] });
    const spend = ['GBP', 'USD'].map((currency) => ({
      channel: currency === 'GBP' ? 'Search ads' : 'Meta Ads',
      event_date: today(),
      currency,
      spend: '30',
    }));
    await shop.call('POST', '/v1/costs/spend', { rows: spend });
    await service().settled();
    const { page, faults } = await open(`/shop/${shop.id}/connections`);
    await page.locator('[data-connection]').first().waitFor();
    const rows = await page.locator('[data-connection]').all();
    const texts = await Promise.all(
      rows.map(async (row) => {
        const cells = (await row.locator('th, td').allInnerTexts()).map((text) => text.split('\n')[0]);
        return [...cells.slice(0, 2), ...cells.slice(3)].join(' | ');
      }),
    );
    expect(texts.map((text) => text.replace(/^Orders from \w+/, 'Orders from …'))).to.deep.equal([
      'Orders from … | Connected | 2 | 1 | See the 1 refused: orders',
      'Pixel | Not connected | 0 | – | Install it',
      'Meta Ads | Left out | – | – | Push its spend in GBP',
      'Search ads | Connected | – | – | nothing',
      'Ad spend | Connected | 2 | – | nothing',
    ]);
    await page.getByRole('link', { name: 'See the 1 refused: orders' }).click();
    await page
      .locator('.sub', { hasText: /^missing_field$/ })
      .first()
      .waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('wait for the data of a new shop, and lead from one that is closed to where it is opened again', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const { page, faults } = await open(`/shop/${shop.id}/connections`);
    await page
      .getByRole('row', { name: /^Orders from/ })
      .getByText('Waiting for data')
      .waitFor();
    await service().stores.sources.setClosed(shop.id, Date.now());
    await page.reload();
    await page.getByRole('link', { name: 'Open the shop again' }).first().click();
    await page.getByRole('button', { name: 'Open the shop again' }).click();
    await page.getByRole('button', { name: 'Close the shop' }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('set the webhooks of Shopify, ask for a secret that is lost, end them, and show no secret', async () => {
    const secret = 'shpss_that nobody sees';
    const shop = await service().shop({ currency: 'EUR', timezone: 'UTC' });
    await shop.call('PUT', '/v1/source', { platform: 'Shopify', currency: 'EUR', timezone: 'UTC' });
    const { page, faults } = await open(`/shop/${shop.id}/connections`, { viewport: { width: 390, height: 844 } });
    const answers: Promise<string>[] = [];
    page.on('response', (answer) => {
      if (answer.url().includes('/hooks/')) answers.push(answer.text().catch(() => ''));
    });
    const address = page.getByRole('group', { name: 'Address for Shopify' });
    const set = async (name: string, button: string) => {
      await page.getByLabel('Name of the shop at Shopify').fill(name);
      await page.getByLabel('Secret that Shopify signs with').fill(secret);
      await page.getByRole('button', { name: button }).click();
    };
    await set('no host!', 'Set up webhooks');
    await page.getByRole('alert').filter({ hasText: 'shop_domain' }).waitFor();
    await set(DOMAIN, 'Set up webhooks');
    const url = await address.innerText();
    const hookId = url.split('/').at(-1) ?? '';
    expect(url).to.equal(`${service().url}/v1/hooks/shopify/${hookId}`);
    await page.getByText('nothing came yet').waitFor();
    expect(
      (await sendHook(service(), hookId, hookStates(1).paid.body, { ...hookStates(1).paid, secret })).status,
    ).to.equal(200);

    // As after a restore: sealed with a key that this service has not.
    const { redis, warehouse, takeStamps } = service().stores;
    const elsewhere = createShopifyHooks({
      state: createShopifyHookState(redis),
      store: createShopifyHookStore(warehouse),
      sealing: createSealing('another key than the one of this service'),
      takeStamps,
      withLock: createLocks(redis),
      now: Date.now,
    });
    expect(await elsewhere.put(shop.id, { secret, shopDomain: DOMAIN })).to.equal(hookId);
    await page.reload();
    await page.getByText('The secret cannot be read any more').waitFor();
    await page.getByText('last webhook').waitFor();
    expect(await audit(page)).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    await set(DOMAIN, 'Replace the secret');
    await page.getByText('The secret cannot be read any more').waitFor({ state: 'detached' });
    expect(await address.innerText()).to.equal(url);
    expect(await page.getByLabel('Secret that Shopify signs with').inputValue()).to.equal('');

    await page.getByRole('button', { name: 'End the webhooks…' }).click();
    expect(await audit(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'End the webhooks', exact: true }).click();
    await page.getByRole('button', { name: 'Set up webhooks' }).waitFor();
    expect((await shop.call('GET', '/v1/hooks/shopify')).status).to.equal(404);
    const told = [...(await Promise.all(answers)), await page.content()].join();
    expect(told).to.include(hookId).and.not.to.include(secret);
    const log = await page.evaluate<string>("fetch('/app/api/log').then((answer) => answer.text())");
    expect(log).to.include('set the webhooks of Shopify').and.to.include('ended the webhooks of Shopify');
    // The browser notes every answer that is no success; one was meant.
    expect(faults.filter((fault) => !fault.includes('status of 400'))).to.deep.equal([]);
  });
});
