import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inChunks } from '../../src/domain/in-chunks.js';
import { become, useApp } from './support/app.js';
import { joinAs, signInAsOperator } from '../console/support.js';
import { SHIFTS } from './support/shifts.js';
import { quiet } from './support/quiet.js';

const ORDERS = 10_000;
const SKUS = 2_000;
const SHOPS = 60;
const DAYS = 20;
const RANGE = 'from=2026-03-01&to=2026-03-20';
/** Every answer takes as much longer. */
const DELAY_MS = 400;

const sku = (i: number): string => `SKU-${String(i % SKUS).padStart(4, '0')}`;

/** One order in a hundred loses money. */
const placed = (i: number) => ({
  order_id: `N-${String(i).padStart(5, '0')}`,
  placed_at: `2026-03-${String(1 + (i % DAYS)).padStart(2, '0')}T10:00:00.${String(i % 1_000).padStart(3, '0')}Z`,
  currency: 'GBP',
  status: 'paid',
  line_items: [{ line_id: '1', sku: sku(i), title: `Article ${sku(i)}`, quantity: '1', unit_price: '19.99' }],
  total: '19.99',
  gateway_fee: i % 100 === 0 ? '25.005' : '0.30',
});

describe('the app of a person with 60 shops, one with 10,000 orders of 2,000 SKUs, far away on a slow network', () => {
  const { service, open } = useApp();

  it('shows each page as the API tells it, moves nothing, and reads no more than a page', async function () {
    this.timeout(600_000);
    const shop = await service().shop({ currency: 'GBP', timezone: 'America/Los_Angeles' });
    const orders = Array.from({ length: ORDERS }, (_, i) => placed(i));
    for (const chunk of inChunks(orders, 250))
      expect((await shop.call('POST', '/v1/orders', { orders: chunk })).body.accepted).to.equal(chunk.length);
    const costs = Array.from({ length: SKUS }, (_, i) => ({ sku: sku(i), unit_cost: `${5 + (i % 7)}.25` }));
    for (const chunk of inChunks(costs, 250)) await shop.call('PUT', '/v1/products/costs', { costs: chunk });
    // Other files of the suite have made shops too.
    const shops = [shop.id];
    while (shops.length < SHOPS) shops.push((await service().shop({ currency: 'EUR', timezone: 'UTC' })).id);
    await service().settled();

    const { page, faults } = await open('/', { timezoneId: 'Pacific/Kiritimati' });
    await page.addInitScript({ content: SHIFTS });
    await become(
      page,
      service(),
      await joinAs(service(), await signInAsOperator(service()), { role: 'viewer', shops }),
    );
    let bytes = 0;
    await page.route(/\/app\/api\//, async (route) => {
      const answer = await route.fetch();
      bytes = Math.max(bytes, (await answer.body()).length);
      await new Promise((resume) => setTimeout(resume, DELAY_MS));
      await route.fulfill({ response: answer });
    });
    const at = async (path: string): Promise<void> => {
      await page.goto(`${service().url}${path}`);
      await quiet(page);
      expect(await page.evaluate('shifts'), path).to.deep.equal([]);
    };
    const read = async (path: string) =>
      (await shop.call('GET', `/v1/${path}${path.includes('?') ? '&' : '?'}${RANGE}`)).body;
    const doors = (of: Page): Promise<string[]> =>
      of.locator('.list-table tbody tr:not(.total) a.door').allInnerTexts();

    await at('/');
    await page.getByText(`${SHOPS} shops`).waitFor();

    await at(`/shop/${shop.id}?${RANGE}`);
    const { statement } = (await read('metrics?include=statement')) as { statement: { earnings: string } };
    expect(await page.locator('.loud data').first().getAttribute('value')).to.equal(statement.earnings);

    await at(`/shop/${shop.id}/orders?${RANGE}&sort=profit&order=asc`);
    expect(await page.locator('.pager').innerText()).to.contain('10,000 orders');
    const worst = (await read('orders?sort=profit&order=asc&limit=50')).orders as {
      order_id: string;
      profit: string;
    }[];
    const shown = await doors(page);
    expect(shown).to.deep.equal(worst.slice(0, shown.length).map(({ order_id: id }) => id));
    await page.getByRole('link', { name: /^Next \d+$/ }).click();
    await page.waitForURL(/cursor=/);
    await quiet(page);
    await page.locator('.panel:not(.stale) .pager').waitFor();
    expect(await doors(page)).to.deep.equal(worst.slice(shown.length, 2 * shown.length).map(({ order_id: id }) => id));

    for (const path of ['products', 'channels', 'changes']) await at(`/shop/${shop.id}/${path}?${RANGE}`);
    await at(`/shop/${shop.id}?${RANGE}&figure=gateway_fees&view=entries`);
    // No answer grows with the shop: the largest is a page of entries, or the list of shops.
    expect(bytes).to.be.below(60_000);
    expect(faults).to.deep.equal([]);
  });
});
