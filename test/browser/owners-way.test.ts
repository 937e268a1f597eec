import { expect } from 'chai';
import { order, today, useApp } from './support/app.js';

describe('from the net profit to the refund that spoiled it', () => {
  const { service, open } = useApp();

  async function spoiledShop() {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const refund = (id: string, total: string) => ({ refund_id: id, refunded_at: `${today()}T00:00:00Z`, total });
    const orders = [
      order('A-1'),
      order('A-2', { order_name: '#2', refunds: [refund('C-20', '20.5'), refund('C-21', '1200.125')] }),
      order('A/3 ?#%', { refunds: [refund('C-3', '3')] }),
    ];
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(3);
    await service().settled();
    return shop;
  }

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    it(`takes three clicks, and Back three steps, with the figures of the API, ${width} pixels wide, ${colorScheme}`, async () => {
      const shop = await spoiledShop();
      const { page, faults } = await open(`/shop/${shop.id}`, { viewport: { width, height: 900 }, colorScheme });
      const { body: figures } = await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}`);
      const loud = page.locator('.sheet .loud data');

      await page.locator('[data-figure=net_profit]').click();
      await loud.waitFor();
      expect(await loud.getAttribute('value')).to.equal(figures.net_profit);

      await page.locator('.sheet').getByRole('link', { name: 'Refunds', exact: true }).click();
      await page.getByRole('dialog', { name: 'Refunds' }).waitFor();
      await page.locator('.sheet .entries').waitFor();
      expect(await loud.getAttribute('value')).to.equal(figures.refunds);
      const entries = page.locator('.sheet .entries tbody tr');
      expect(await entries.first().innerText())
        .to.contain('Refund C-21')
        .and.contain('£1,200.125');

      await entries.first().getByRole('link').click();
      await page.waitForURL((url) => url.pathname === `/shop/${shop.id}/orders/A-2`);
      const { body: detail } = await shop.call('GET', '/v1/orders/A-2');
      await page.locator('[data-figure=profit] data').waitFor();
      expect(await page.locator('[data-figure=profit] data').getAttribute('value')).to.equal(detail.profit);
      const line = (row: string) => page.locator(`.statement data[data-row="${row}"]`);
      expect(await line('revenue').getAttribute('value')).to.equal(detail.revenue);
      expect(await line('refund C-21').getAttribute('value')).to.equal('-1200.125');
      expect(await line('earnings').getAttribute('value')).to.equal(detail.earnings);
      expect(await page.locator('tr.marked').innerText()).to.contain('Refund C-21');
      expect(await page.locator('h1').innerText()).to.contain('#2');

      await page.goBack();
      await page.getByRole('dialog', { name: 'Refunds' }).waitFor();
      await page.goBack();
      await page.getByRole('dialog', { name: 'Net profit' }).waitFor();
      await page.goBack();
      await page.locator('.sheet').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).to.equal('');
      expect(faults).to.deep.equal([]);
    });
  }

  it('leads to an order whatever its id is, and says of an unknown one that it is', async () => {
    const shop = await spoiledShop();
    const { page } = await open(`/shop/${shop.id}?figure=refunds`);
    await page.locator('.entries').getByRole('link', { name: 'Refund C-3' }).click();
    await page.locator('[data-figure=profit] data').waitFor();
    expect(await page.locator('h1').innerText()).to.contain('A/3 ?#%');
    await page.goto(`${service().url}/shop/${shop.id}/orders/none`);
    await page.getByText('This shop has no order “none”.').waitFor();
    expect(await page.locator('data').count()).to.equal(0);
  });
});

describe('what owners do most', () => {
  const { service, open } = useApp();

  it('takes as many clicks from the overview as it should, and no more', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line_items = [{ line_id: '1', sku: 'MUG', title: 'A mug', quantity: '3', unit_price: '411.50' }];
    const refunds = [{ refund_id: 'C-9', refunded_at: `${today()}T00:00:00Z`, total: '900' }];
    const orders = [order('1', { line_items }), order('2', { refunds })];
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(2);
    await service().settled();
    const { page, faults } = await open(`/shop/${shop.id}`);
    let clicks = 0;
    await page.exposeFunction('noteClick', () => {
      clicks++;
    });
    await page.addInitScript("addEventListener('pointerdown', () => noteClick(), true)");
    const click = (role: 'button' | 'link' | 'checkbox', name: string | RegExp): Promise<void> =>
      page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click();
    const taken: Record<string, number> = {};
    const task = async (name: string, steps: () => Promise<unknown>): Promise<void> => {
      await page.goto(`${service().url}/shop/${shop.id}`);
      await page.locator('[data-figure=earnings] data').waitFor();
      clicks = 0;
      await steps();
      taken[name] = clicks;
    };

    await task('export', async () => {
      const [file] = await Promise.all([page.waitForEvent('download'), click('link', 'CSV')]);
      expect(file.suggestedFilename()).to.match(/\.csv$/);
    });
    await task('why it is lower', async () => {
      await click('link', 'Refunds');
      await page.locator('.sheet').getByRole('link', { name: 'Refund C-9' }).click();
      await page.locator('tr.marked').waitFor();
    });
    await task('a file of unit costs', async () => {
      await click('link', 'Products');
      await click('link', 'Upload a CSV');
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel(/Choose a/).click()]);
      await chooser.setFiles({ name: 'costs.csv', mimeType: 'text/csv', buffer: Buffer.from('sku;unit_cost\nTEA;1') });
      await click('button', 'Save 1 cost');
      await page.getByText('1 cost saved').waitFor();
    });
    await task('a unit cost', async () => {
      await click('link', 'Price 1 product');
      const cost = page.getByLabel('Unit cost of A mug, GBP');
      await cost.click();
      await cost.pressSequentially('120');
      await click('button', /^Save/);
      await page.getByRole('heading', { name: /to price$/ }).waitFor({ state: 'detached' });
    });
    await task('an alert', async () => {
      await click('link', 'Settings');
      await click('link', 'Alerts');
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
      await click('checkbox', 'A day ends with a loss');
      expect((await saved).status()).to.equal(200);
    });
    await task('a manager', async () => {
      await click('link', 'Operator');
      await click('button', 'Invite');
      await page.keyboard.type('Mia');
      await page.getByRole('radio', { name: /^Manager/ }).click();
      await click('button', 'Make the link');
      await page.getByRole('group', { name: 'Invitation link' }).waitFor();
    });
    await task('a link for others', async () => {
      await click('link', 'Operator');
      await click('button', 'Share');
      await click('button', 'Make the link');
      await page.getByRole('group', { name: 'Link to the figures' }).waitFor();
      // The log says so at once, and not when the page reads itself again.
      await page.getByText(/^shared the figures of/).waitFor({ timeout: 8_000 });
    });
    expect(taken).to.deep.equal({
      export: 1,
      'why it is lower': 2,
      'a file of unit costs': 4,
      'a unit cost': 3,
      'an alert': 3,
      'a manager': 4,
      'a link for others': 3,
    });
    expect(faults).to.deep.equal([]);
  });
});
