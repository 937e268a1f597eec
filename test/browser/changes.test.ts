import { expect } from 'chai';
import { until } from '../embedded/processes.js';
import { order, useApp } from './support/app.js';

const PLACED = '2026-03-02T10:00:00Z';
const RANGE = 'from=2026-03-01&to=2026-03-31';

describe('what changed, in a browser', () => {
  const { service, open } = useApp();

  it('lists each cause with what it did to the figures of past days, as the API tells it', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line_items = [{ line_id: '1', sku: 'MUG', quantity: '3', unit_price: '411.50' }];
    await shop.call('POST', '/v1/orders', { orders: [order('1', { placed_at: PLACED, line_items })] });
    await service().settled();
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '2.5001' }] });
    await service().settled();
    const causes = async () =>
      (await shop.call('GET', `/v1/restatements?${RANGE}&group=cause`)).body.causes as { kind: string }[];
    await until('both causes are listed', async () => (await causes()).length === 2);
    expect((await causes()).map(({ kind }) => kind)).to.deep.equal(['unit_cost', 'late_order']);

    const { page, faults } = await open(`/shop/${shop.id}/changes?${RANGE}`);
    const entries = page.locator('.causes > li');
    await entries.nth(1).waitFor();
    expect(await entries.nth(0).innerText())
      .to.contain('1 unit cost was changed')
      .and.contain('MUG')
      .and.contain('−£7.5003');
    expect(await entries.nth(1).innerText())
      .to.contain('1 order of a past day arrived')
      .and.contain('+£1,216.43');
    await entries.nth(0).getByText('Before and after').click();
    const changed = entries.nth(0).locator('[data-changed=cogs] data');
    expect(await changed.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).to.deep.equal([
      '0.00',
      '7.5003',
      '7.5003',
    ]);
    expect(faults).to.deep.equal([]);
  });

  it('says where nothing has changed', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const { page } = await open(`/shop/${shop.id}/changes?${RANGE}`);
    await page.getByText('No figure of these days has changed').waitFor();
  });
});
