import { expect } from 'chai';
import { audit } from './support/axe.js';
import { order, today, useApp } from './support/app.js';
import { quiet } from './support/quiet.js';

describe('the box that finds', () => {
  const { service, open } = useApp();

  const searched = async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line_items = [
      { line_id: '1', sku: 'AMUG', title: 'Mug', quantity: '3', unit_price: '411.50', unit_cost: '1' },
    ];
    const orders = ['a1001', 'A1002', 'B1'].map((id) => order(id, { line_items }));
    await shop.call('POST', '/v1/orders', { orders });
    await service().settled();
    return shop;
  };

  it('keeps what is typed before its script has come', async () => {
    const shop = await searched();
    const { page } = await open(`/shop/${shop.id}`);
    await quiet(page);
    let load: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (load = resolve));
    await page.route('**/assets/*.js', (route) => loading.then(() => route.continue()));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bx');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('1');
    load();
    await page.getByRole('option', { name: 'B1' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Find' }).inputValue()).to.equal('b1');
  });

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    it(`leads to an order by keyboard alone, reads once the typing pauses, and is without a fault of axe, ${width} wide and ${colorScheme}`, async () => {
      const shop = await searched();
      const { page, faults } = await open(`/shop/${shop.id}`, { viewport: { width, height: 844 }, colorScheme });
      await quiet(page);
      // How fast the keys follow each other hangs on no machine: the clock is one that a test can stop.
      await page.clock.install();
      await page.reload();
      await quiet(page);
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (searchParams.has('q')) asked.push(`${pathname.split('/').at(-1) ?? ''} ${searchParams.get('q') ?? ''}`);
      });
      await page.keyboard.press('Control+k');
      const box = page.getByRole('combobox', { name: 'Find' });
      await box.waitFor();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.keyboard.type('a');
      await page.clock.runFor(1_000);
      expect(asked).to.deep.equal([]);
      await page.keyboard.type('10');
      await page.clock.runFor(1_000);
      await page.clock.resume();
      await page.getByRole('option', { name: 'A1002' }).waitFor();
      await quiet(page);
      expect(asked.sort()).to.deep.equal(['orders a10', 'products a10', 'refunds a10']);
      expect(await page.getByRole('option').allInnerTexts()).to.have.lengthOf(3);
      expect(await audit(page)).to.deep.equal([]);
      const first = await page.locator('[aria-selected=true] b').innerText();
      await page.keyboard.press('ArrowDown');
      const second = await page.locator('[aria-selected=true] b').innerText();
      expect([first, second].sort()).to.deep.equal(['A1002', 'a1001']);
      expect(await box.getAttribute('aria-activedescendant')).to.equal('found-1');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/orders/${second}**`);
      await page.getByRole('heading', { name: second }).waitFor();
      expect(await page.locator('dialog[open]').count()).to.equal(0);
      await page.goBack();
      await page.waitForURL(`**/shop/${shop.id}`);
      expect(faults).to.deep.equal([]);
    });
  }

  it('finds a refund by its id, and leads to its place in its order', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const refund = (id: string) => ({ refund_id: id, refunded_at: `${today()}T00:00:00Z`, total: '10.005' });
    await shop.call('POST', '/v1/orders', { orders: [order('1001', { refunds: [refund('C-77'), refund('C-78')] })] });
    await service().settled();
    const { page, faults } = await open(`/shop/${shop.id}?range=7d`);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('combobox', { name: 'Find' }).pressSequentially('c-7');
    await page.getByRole('group', { name: 'Refunds' }).getByRole('option').nth(1).waitFor();
    await page.keyboard.type('8');
    await page.getByRole('option', { name: 'C-78 of order 1001 £10.005' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/orders/1001?range=7d&refund=C-78`);
    await page.getByRole('heading', { name: '1001' }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('finds products, pages and other shops, none of what other shops hold, and says where it cannot look', async () => {
    const other = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    await other.call('POST', '/v1/orders', { orders: [order('zz-secret')] });
    const shop = await searched();
    const { page, faults } = await open(`/shop/${shop.id}`);
    const options = page.getByRole('option');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('option', { name: 'What changed' }).waitFor();
    await page.keyboard.type('amu');
    await page.getByRole('option', { name: 'AMUG Mug' }).click();
    await page.waitForURL(/\/products\?.*q=AMUG/);
    await page.getByRole('row', { name: /AMUG/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zz-secret');
    await page.getByText('1 found').waitFor();
    expect(await options.allInnerTexts()).to.deep.equal(['All orders with “zz-secret”']);
    await page.getByRole('combobox').fill(other.id);
    await page.getByRole('option', { name: other.id, exact: true }).waitFor();
    await page.getByRole('combobox').fill('payment');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Payment fees' }).waitFor();
    expect(faults).to.deep.equal([]);
    await page.route('**/v1/orders?*', (route) => route.abort());
    await page.keyboard.press('Control+k');
    await page.keyboard.type('<img src=x onerror=alert(1)>');
    await page.locator('.find-box .fault').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.find-box').waitFor({ state: 'detached' });
    // Before the browser has drawn a frame, so that no key gets lost.
    const focused = await page.evaluate(`(async () => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
      await null;
      return document.activeElement.getAttribute('aria-label');
    })()`);
    expect(focused).to.equal('Find');
  });
});
