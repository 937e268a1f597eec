import { expect } from 'chai';
import { order, today, turnTo, useApp } from './support/app.js';
import { quiet, TIMELESS } from './support/quiet.js';

describe('all shops in a browser', () => {
  const { service, open, sellingShop } = useApp();
  const PATH = '/';

  it('shows of each shop this month, as the API tells it, or what the shop waits for', async () => {
    const selling = await sellingShop();
    const sleeping = await service().shop({ currency: 'EUR', timezone: 'Europe/Dublin' });
    await sleeping.call('POST', '/v1/orders', {
      orders: [order('old', { currency: 'EUR', placed_at: '2011-12-09T10:00:00Z' })],
    });
    await service().settled();
    const empty = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const range = `from=${today().slice(0, 8)}01&to=${today()}`;
    const { body } = await selling.call('GET', `/v1/metrics?${range}&include=statement,coverage`);
    const statement = body.statement as { earnings: string };

    const { page, faults } = await open(PATH);
    const row = (id: string) => page.locator(`[data-shop="${id}"]`);
    await turnTo(page, service(), selling.id);
    await row(selling.id).locator('td.result data[value]').waitFor();
    expect(await row(selling.id).locator('td.result data').getAttribute('value')).to.equal(statement.earnings);
    expect(await row(selling.id).locator('td.result').innerText()).to.match(/^at most £/);
    expect(
      await row(selling.id)
        .locator(`td data[value="${String(body.revenue)}"]`)
        .count(),
    ).to.equal(1);
    const days = await row(selling.id).getByRole('img').first().getAttribute('aria-label');
    expect(days).to.contain(`${Number(today().slice(8))} days, 0 with a loss`);
    await turnTo(page, service(), sleeping.id);
    await row(sleeping.id).getByText('no orders').first().waitFor();
    expect(await row(sleeping.id).innerText())
      .to.contain('no orders')
      .and.contain('Last order 9 Dec 2011')
      .and.contain('days in Dublin');
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height: 844 });
    const gap = await row(sleeping.id).evaluate(
      (one) =>
        (one.querySelector('.badge')?.getBoundingClientRect().top ?? 0) -
        (one.querySelector('.sub')?.getBoundingClientRect().bottom ?? 0),
    );
    expect(gap, 'room on a phone for bars that are not there').to.be.within(0, 12);
    await page.setViewportSize(size);
    await turnTo(page, service(), empty.id);
    await row(empty.id).getByText('Waiting for its first order').last().waitFor();
    expect(await row(empty.id).innerText())
      .to.contain('Waiting for its first order')
      .and.not.contain('£');
    expect(faults).to.deep.equal([]);

    await turnTo(page, service(), selling.id);
    await row(selling.id).getByRole('link').click();
    await page.locator(`[data-figure=earnings] data[value="${statement.earnings}"]`).waitFor();
  });

  it('reads the figures of twenty shops a page in one request', async () => {
    for (let i = 0; i < 22; i++) await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const { page } = await open(PATH, { viewport: { width: 390, height: 844 } });
    await page.addInitScript({ content: TIMELESS });
    await quiet(page);
    let reads = 0;
    page.on('request', (request) => (reads += request.url().includes('/figures?') ? 1 : 0));
    await page.reload();
    await quiet(page);
    expect(await page.locator('[data-shop]').count()).to.equal(20);
    expect(reads).to.equal(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    await page.getByRole('link', { name: 'Next 20' }).click();
    await page.getByText(/^21 – /).waitFor();
    expect(new URL(page.url()).search).to.equal('?cursor=2');
  });

  it('says of a shop without orders what there is to set up, until the first one is there', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const { page, faults } = await open(`/shop/${shop.id}`);
    await page.getByRole('heading', { name: `Set up ${shop.id}` }).waitFor();
    const states = () =>
      page.locator('[data-step]').evaluateAll((all) => all.map((one) => one.getAttribute('data-state')));
    await quiet(page);
    expect(await states()).to.deep.equal(['done', 'done', 'now', 'open', 'open', 'open']);
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '2.5' }] });
    await page.locator('[data-step="4"][data-state=done]').waitFor();
    expect((await shop.call('POST', '/v1/orders', { orders: [order('1')] })).body.accepted).to.equal(1);
    await service().settled();
    await page.locator('[data-figure=earnings] data[value]').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('says on every page of a shop without orders that there is nothing, and no share of it', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const { page, faults } = await open(`/shop/${shop.id}/orders`);
    const settings = ['shop', 'costs', 'expenses', 'fees', 'pixel', 'alerts', 'bi'].map((name) => `settings/${name}`);
    for (const path of ['orders', 'products', 'customers', 'channels', 'changes', 'connections', ...settings]) {
      await page.goto(`${service().url}/shop/${shop.id}/${path}`);
      await quiet(page);
      const text = await page.locator('main').innerText();
      expect(text, path)
        .to.match(/\w{3}/)
        .and.not.match(/\d %|NaN|Infinity|undefined|null/);
    }
    expect(faults).to.deep.equal([]);
  });

  it('offers a sample shop where there is none, and leads to what it earned', async () => {
    const { page, faults } = await open('/docs');
    await page.route('**/app/api/shops', (route) => route.fulfill({ json: { shops: [] } }));
    await page.goto(service().url);
    const offer = page.getByRole('button', { name: 'Look around a sample shop' });
    await offer.waitFor();
    await page.unroute('**/app/api/shops');
    await offer.click();
    await page.waitForURL('**/shop/sample-homewares', { timeout: 60_000 });
    await service().settled();
    // It may have been read before the last orders counted.
    await page.reload();
    await page
      .getByText(/\d+ missing/)
      .first()
      .waitFor();
    expect(await page.locator('[data-figure=earnings] data').getAttribute('value')).to.match(/^\d+\.\d+$/);
    await page.goto(`${service().url}/shop/sample-homewares/connections`);
    await quiet(page);
    expect(await page.locator('main').innerText()).to.not.match(/No key works|Stopped/);
    expect(faults).to.deep.equal([]);
  });
});
