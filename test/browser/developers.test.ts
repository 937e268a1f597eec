import { expect } from 'chai';
import { order, useApp } from './support/app.js';
import { audit, axePath } from './support/axe.js';
import { foldedNames } from './support/folded.js';
import { quiet } from './support/quiet.js';

describe('the request log under Developers', () => {
  const { service, open, sellingShop } = useApp();

  it('names each value of a rejection on a phone, and scrolls to no side', async () => {
    const shop = await service().shop({ currency: 'GBP' });
    await shop.call('POST', '/v1/orders', { orders: [order('x'.repeat(255), { total: '1'.repeat(200) })] });
    await service().settled();
    const { page, faults } = await open(`/developers?shop=${shop.id}&tab=log`, {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('heading', { name: 'Rejected pushes' }).waitFor();
    await quiet(page);
    expect(await foldedNames(page)).to.deep.equal([['Code', 'Times', 'A message']]);
    const [needed, room] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    expect(needed).to.equal(room);
    expect(faults).to.deep.equal([]);
  });

  it('shows each taken push and each refused item with its reason, by outcome, kind, code and receipt', async () => {
    const shop = await sellingShop();
    const wrong = order('3', { total: '1' });
    const { body } = await shop.call('POST', '/v1/orders', { orders: [wrong, order('4')] });
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '2' }] });
    await service().settled();
    const { page, faults } = await open(`/developers?shop=${shop.id}&tab=log`);
    const names = async (): Promise<string[]> =>
      (await page.locator('.log tbody .door').allInnerTexts()).map((text) => text.trim());
    await page.getByRole('link', { name: 'Orders: 3', exact: true }).waitFor();
    expect(await page.locator('.log tbody .badge').allInnerTexts()).to.include.members([
      '1 taken',
      '2 taken',
      'Refused',
    ]);
    expect((await names()).sort()).to.deep.equal(['Orders', 'Orders', 'Orders: 3', 'Product costs']);

    await page.getByRole('link', { name: 'Orders: 3', exact: true }).click();
    await page.getByRole('heading', { name: 'Orders: 3' }).waitFor();
    const detail = page.locator('.log-detail');
    expect(await detail.innerText())
      .to.contain('sum_mismatch')
      .and.contain('computed 1234.50')
      .and.contain('supplied 1')
      .and.contain(`ending ${shop.key.slice(-4)}`);
    expect(JSON.parse(await detail.getByRole('group', { name: 'What was sent' }).innerText())).to.include({
      total: '1',
    });
    await page.goBack();
    await detail.getByText('Choose an entry').waitFor();

    await page.getByRole('link', { name: 'Refused', exact: true }).click();
    await page.locator('.log tbody').getByRole('link', { name: 'Product costs' }).waitFor({ state: 'detached' });
    expect(await names()).to.deep.equal(['Orders: 3']);
    await page.goto(`${service().url}/developers?shop=${shop.id}&tab=log&kind=product_costs`);
    await page.locator('.log tbody').getByRole('link', { name: 'Product costs' }).waitFor();
    expect(await names()).to.deep.equal(['Product costs']);
    // Of these kinds no refused items are kept.
    for (const kind of ['order_costs', 'gateway_fees']) {
      await page.goto(`${service().url}/developers?shop=${shop.id}&tab=log&kind=${kind}`);
      await page.getByText('Nothing like that was pushed.').waitFor();
      expect(await page.getByRole('alert').count(), kind).to.equal(0);
    }
    await page.goto(`${service().url}/developers?shop=${shop.id}&tab=log&code=no_such_code`);
    await page.getByRole('alert').getByText('code').waitFor();
    await page.goto(`${service().url}/developers?shop=${shop.id}&tab=log&receipt=${String(body.receipt)}`);
    await page.locator('.log-detail').getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    expect(await detail.innerText()).to.contain(String(body.receipt));
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('no_such_code')));
    expect(faults).to.deep.equal([]);
  });

  if (axePath() !== null) {
    it('has nothing that axe finds wrong, nor has the quick start, wide and narrow, light and dark', async () => {
      const shop = await sellingShop();
      const empty = await service().shop({ currency: 'GBP', timezone: 'UTC' });
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [390, 'dark'],
      ] as const) {
        const { page } = await open(`/developers?shop=${empty.id}`, { colorScheme, viewport: { width, height: 900 } });
        await page.getByText('Waiting for your first order…').waitFor();
        expect(await audit(page), `quick start, ${width}`).to.deep.equal([]);
        await page.goto(`${service().url}/developers?shop=${shop.id}`);
        await page.locator('.loud').waitFor();
        expect(await audit(page), `arrived, ${width}`).to.deep.equal([]);
        await page.goto(`${service().url}/developers?shop=${shop.id}&tab=log`);
        await page.locator('.log tbody').getByRole('link', { name: 'Orders' }).click();
        await page.locator('.log-detail').getByRole('heading', { name: 'Orders' }).waitFor();
        expect(await audit(page), `log, ${width}`).to.deep.equal([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), `log, ${width}`).to.equal(width);
      }
    });
  }

  it('pages through one outcome, and never skips an entry where it shows both', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const orders = Array.from({ length: 60 }, (_, i) => order(String(i), { total: '1' }));
    await shop.call('POST', '/v1/orders', { orders: [order('old')] });
    await shop.call('POST', '/v1/orders', { orders });
    await shop.call('POST', '/v1/orders', { orders: [order('new')] });
    await service().settled();
    const { page } = await open(`/developers?shop=${shop.id}&tab=log`);
    const rows = page.locator('.log tbody tr');
    await rows.nth(50).waitFor();
    // The push before the refused items is not shown before all of these are.
    expect(await rows.count()).to.equal(51);
    await page.getByRole('link', { name: 'Refused', exact: true }).click();
    await page.getByRole('link', { name: 'Next 50' }).click();
    await rows.nth(10).waitFor({ state: 'detached' });
    await rows.nth(9).waitFor();
    await rows.nth(3).getByRole('link').click();
    await page.getByRole('heading', { name: 'Orders: 53' }).waitFor();
    expect(await rows.count()).to.equal(10);
  });
});
