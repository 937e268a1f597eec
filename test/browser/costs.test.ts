import { expect } from 'chai';
import { addMoney, negated } from '../../src/console/web/shared/money.js';
import { order, today, useApp } from './support/app.js';
import { audit } from './support/axe.js';
import { quiet } from './support/quiet.js';

describe('fee rules and expenses in a browser', () => {
  const { service, open, sellingShop } = useApp();
  const path = (shop: { id: string }, section: string): string => `/shop/${shop.id}/settings/${section}`;

  it('hold unit costs: one is added with a preview that is what it then changes, and each says when it was set', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line = { line_id: '1', sku: 'MUG', quantity: '3', unit_price: '411.50' };
    await shop.call('POST', '/v1/orders', { orders: [order('1', { line_items: [line] })] });
    await service().settled();
    const profit = async () =>
      String((await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}`)).body.net_profit);
    const before = await profit();
    const { page, faults } = await open(path(shop, 'costs'));
    await page.getByText('1 product was sold without a cost in the last 30 days.').waitFor();
    await page.getByRole('button', { name: 'Add a cost' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a unit cost' });
    await dialog.getByLabel('SKU').fill(' MUG ');
    await dialog.getByLabel('Unit cost, GBP').fill('4,92');
    await dialog.getByLabel('Unit cost, GBP').blur();
    await dialog.getByText('unit_cost must be a plain non-negative decimal').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save cost' }).isDisabled()).to.equal(true);
    await dialog.getByLabel('Unit cost, GBP').fill('120.100333');
    await dialog.getByLabel('Valid from (empty: from the start)').fill(today());
    const effect = dialog.locator('[data-preview=all] data');
    await effect.waitFor();
    await quiet(page);
    const promised = await effect.getAttribute('value');
    expect(promised).to.equal('-360.300999');
    expect(await audit(page)).to.deep.equal([]);
    expect(await profit()).to.equal(before);
    await dialog.getByRole('button', { name: 'Save cost' }).click();
    await page.getByRole('heading', { name: 'All figures contain it' }).waitFor();
    const row = page.getByRole('row', { name: /^MUG £120.100333/ });
    await row.waitFor();
    await page.getByText('sold without a cost').waitFor({ state: 'detached' });
    expect(addMoney(await profit(), negated(before))).to.equal(promised);
    const [{ received_at }] = (await shop.call('GET', '/v1/products/costs')).body.costs;
    expect(await row.locator('td').last().innerText()).to.contain(String(received_at).slice(11, 16));
    expect(faults).to.deep.equal([]);
  });

  it('change a fee rule in its place, with what it estimates, and keep what another tab has changed', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const unpaid = order('1', { payment_gateway: 'card', gateway_fee: undefined });
    await shop.call('POST', '/v1/orders', {
      orders: [unpaid, order('2'), { ...unpaid, order_id: '3', payment_gateway: 'Klarna' }],
    });
    const rule = { payment_gateway: 'card', percent: '1.40', fixed: '0.20' };
    await shop.call('PUT', '/v1/costs/gateway-fees', { rules: [rule] });
    await service().settled();
    const { page } = await open(path(shop, 'fees'));
    await page.getByText('no rule is for klarna').waitFor();
    await page.getByText(/The fees of 1 of 3 orders of .* are estimated: £17.48/).waitFor();
    const { page: other } = await open(path(shop, 'fees'));
    await other.getByRole('button', { name: 'Change the rule of card' }).click();
    await page.getByLabel('Payment gateway').fill('Klarna');
    await page.getByRole('button', { name: 'Set rule' }).click();
    await page.getByText('no rule is for klarna').waitFor({ state: 'detached' });

    await other.getByLabel('Percent of card').fill('1,4');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('rules[0].percent must be a plain').waitFor();
    await other.getByLabel('Percent of card').fill('2');
    await other.getByLabel('Fixed part of card, GBP').fill('0');
    await other.getByLabel('Fixed part of card, GBP').press('Enter');
    await other.getByRole('row', { name: 'card 2.00% £0.00 1' }).waitFor();
    await other.getByText('£24.69').waitFor();
    expect((await shop.call('GET', '/v1/costs/gateway-fees')).body.rules).to.deep.equal([
      { payment_gateway: 'card', percent: '2.00', fixed: '0.00' },
      { payment_gateway: 'Klarna', percent: '0.00', fixed: '0.00' },
    ]);
    await other.getByRole('row', { name: /^card/ }).getByRole('link', { name: '1' }).click();
    await other
      .getByRole('row', { name: /1,234.50/ })
      .first()
      .waitFor();
    expect(new URL(other.url()).searchParams.get('gateway')).to.equal('card');
  });

  it('hold a fee rule and expenses, which can be made, ended and deleted', async () => {
    const shop = await service().shop({ currency: 'GBP' });
    const { page, faults } = await open(path(shop, 'fees'));
    await page.getByLabel('Payment gateway').pressSequentially('Cash on delivery');
    await page.getByLabel('Percent').fill('1.4');
    await page.getByLabel('Fixed, GBP').fill('0.25');
    await page.getByRole('button', { name: 'Set rule' }).click();
    await page.getByRole('row', { name: 'Cash on delivery 1.40% £0.25 0' }).waitFor();
    expect((await shop.call('GET', '/v1/costs/gateway-fees')).body.rules).to.deep.equal([
      { payment_gateway: 'Cash on delivery', percent: '1.40', fixed: '0.25' },
    ]);
    await page.getByRole('button', { name: 'Remove the rule of Cash on delivery' }).click();
    await page.getByText('Cash on delivery').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Expenses' }).click();
    await page.getByRole('button', { name: 'Add expense' }).click();
    await page.getByLabel('Name').fill('Agency');
    await page.getByLabel('Amount, GBP').fill('10,5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('amount must be a plain non-negative decimal').waitFor();
    await page.getByLabel('Amount, GBP').fill('31000000000000.01');
    await page.getByLabel('First day').fill('2026-03-01');
    await page.getByText(/^Earnings of .* change by −£/).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row', { name: 'Agency software £31,000,000,000,000.01 a month since 1 Mar expense' })
      .waitFor();
    await page.getByRole('button', { name: 'End Agency today' }).click();
    await page.getByRole('button', { name: 'Let Agency go on' }).waitFor();
    await page.getByRole('button', { name: 'Delete Agency' }).click();
    await page.getByRole('button', { name: 'Delete expense' }).click();
    await page.getByText('No expenses yet.').waitFor();
    expect(faults.filter((fault) => !fault.includes('400'))).to.deep.equal([]);
  });

  it('say what an expense changes this month before it is saved, to the digit', async () => {
    const shop = await sellingShop();
    const earned = async () =>
      String(
        (await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}&include=statement`)).body.statement.earnings,
      );
    const before = await earned();
    const { page, faults } = await open(path(shop, 'expenses'));
    await page.getByRole('button', { name: 'Add expense' }).click();
    await page.getByLabel('Name').fill('Packaging');
    await page.getByLabel('Amount, GBP').fill('0.853333');
    await page.getByLabel('How often').selectOption('per_order');
    const effect = page.locator('[data-preview=expense] data');
    await effect.waitFor();
    await quiet(page);
    expect(await effect.getAttribute('value')).to.equal('-1.706666');
    await page.getByLabel('First day').fill(today());
    await page.getByLabel('First day').blur();
    await quiet(page);
    expect(await effect.getAttribute('value')).to.equal('-1.706666');
    expect(await earned()).to.equal(before);
    expect(await audit(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /^Packaging/ }).waitFor();
    expect(addMoney(before, '-1.706666')).to.equal(await earned());

    await page.getByRole('button', { name: 'Edit Packaging' }).click();
    await page.getByLabel('Amount, GBP').fill('1');
    await page.getByLabel('Amount, GBP').blur();
    await effect.waitFor();
    expect(await effect.getAttribute('value')).to.equal('-0.293334');
    expect(faults).to.deep.equal([]);
  });
});
