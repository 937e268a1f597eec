import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addMoney, negated } from '../../src/console/web/shared/money.js';
import type { Shop } from '../support/service.js';
import { audit } from './support/axe.js';
import { order, today, useApp } from './support/app.js';
import { foldedNames } from './support/folded.js';
import { quiet } from './support/quiet.js';

describe('the upload of a file in a browser', () => {
  const { service, open } = useApp();

  const sold = async (): Promise<Shop> => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line = (sku: string) => [{ line_id: '1', sku, quantity: '3', unit_price: '411.50' }];
    const orders = ['MUG', 'TEA', 'CUP'].map((sku, i) => order(String(i), { line_items: line(sku) }));
    await shop.call('POST', '/v1/orders', { orders });
    await service().settled();
    return shop;
  };
  const choose = (page: Page, text: string, name = 'costs.csv') =>
    page.getByLabel(/Choose a/).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const profit = async (shop: Shop): Promise<string> =>
    String((await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}`)).body.net_profit);

  it('shows what unit costs would change, asks what can be read in two ways, saves the rest, and follows it', async () => {
    const shop = await sold();
    const before = await profit(shop);
    const { page, faults } = await open(`/shop/${shop.id}/products`);
    await page.getByRole('link', { name: 'Upload a CSV' }).click();
    const file = ['sku;unit_cost;effective_from', 'MUG;120.10;', 'TEA;4,92;', 'CUP;x;', 'MUG;1;2026-99-99'];
    await choose(page, file.join('\n'));
    await page.getByText('is “4,92” 4.92 or 492?').waitFor();
    await page.getByText('New cost is no amount.').waitFor();
    await page.getByText(/Valid from must be a real calendar day/).waitFor();
    await page.getByRole('button', { name: 'Save 1 cost' }).waitFor();
    expect(await profit(shop)).to.equal(before);
    expect(await audit(page)).to.deep.equal([]);
    await page.getByRole('button', { name: '4.92', exact: true }).click();
    await page.getByRole('button', { name: 'Save 2 costs' }).waitFor();
    const promised = await page.locator('[data-effect] data').getAttribute('value');
    expect(promised).to.equal('-375.06');
    await page.getByRole('button', { name: 'Save 2 costs' }).click();
    await page.getByText('2 costs saved').waitFor();
    await page.getByRole('heading', { name: 'All figures contain it' }).waitFor();
    expect(addMoney(await profit(shop), negated(before))).to.equal(promised);
    expect(faults).to.deep.equal([]);
  });

  it('changes nothing where it is the file of unit costs that was downloaded, whatever the SKUs are', async () => {
    const shop = await sold();
    const costs = [
      { sku: 'MUG', unit_cost: '120.10' },
      { sku: 'TEA', unit_cost: '99999999999999.999999', effective_from: today() },
      { sku: '=1+1', unit_cost: '0.333333' },
      { sku: "'=1+1", unit_cost: '2' },
      { sku: 'a "b", c;', unit_cost: '7.50', effective_from: '1970-01-01' },
    ];
    expect((await shop.call('PUT', '/v1/products/costs', { costs })).body.accepted).to.equal(costs.length);
    await service().settled();
    const stored = async () => (await shop.call('GET', '/v1/products/costs')).body.costs as Record<string, string>[];
    const before = await stored();
    const { page, faults } = await open(`/shop/${shop.id}/settings/costs`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).to.equal('unit-costs.csv');
    await page.getByRole('link', { name: 'Unit costs', exact: true }).last().click();
    await page.getByLabel('Choose a file').setInputFiles(await file.path());
    await page.getByRole('button', { name: 'Save 5 costs' }).waitFor();
    await page.getByText('Saving changes net profit by £0.00 on 0 days').waitFor();
    await page.getByRole('button', { name: 'Save 5 costs' }).click();
    await page.getByText('5 costs saved').waitFor();
    await page.getByRole('heading', { name: 'All figures contain it' }).waitFor();
    const bare = (rows: object[]) => rows.map((row) => ({ ...row, received_at: '' }));
    expect(bare(await stored())).to.deep.equal(bare(before));
    expect(faults).to.deep.equal([]);
  });

  it('shows what the last decision changes, however late the answer of the one before is', async () => {
    const shop = await sold();
    const { page } = await open(`/shop/${shop.id}/products/upload`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/v1/products/costs?validate_only=1', async (route) => {
      if (!route.request().postData()?.includes('TEA')) await held;
      await route.continue();
    });
    await choose(page, 'sku;unit_cost\nMUG;120.10\nTEA;4,92');
    await page.getByRole('button', { name: '4.92', exact: true }).click();
    const effect = page.locator('[data-effect] data');
    await effect.waitFor();
    release();
    await quiet(page);
    expect(await effect.getAttribute('value')).to.equal('-375.06');
  });

  it('takes costs of orders and ad spend, and says which lines the service refuses', async () => {
    const shop = await sold();
    const { page, faults } = await open(`/shop/${shop.id}/settings/costs`);
    await page.getByRole('link', { name: 'Costs of orders' }).click();
    await choose(page, 'order_id,gateway_fee,fulfillment_cost\n0,1.50,4\n1,,\n2,2.25,');
    await page.getByRole('button', { name: 'Save 3 orders' }).click();
    await page.getByText('2 orders saved, 1 refused').waitFor();
    await page.getByRole('heading', { name: 'All figures contain it' }).waitFor();
    await page.goto(`${service().url}/shop/${shop.id}/upload/spend`);
    await choose(
      page,
      `event_date,channel,currency,spend\n${today()},Radio,GBP,17\n2026-99-99,Radio,gbp,17\n${today()},%,GBP,17`,
    );
    const wrong = 'Day must be a real calendar day written YYYY-MM-DD. Currency is no code such as EUR, in upper case.';
    await page.getByText(wrong).waitFor();
    await page.getByRole('button', { name: 'Save 2 rows' }).click();
    await page.getByText('1 row saved, 1 refused').waitFor();
    await service().settled();
    const { body } = await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}`);
    expect(body.ad_spend).to.equal('17.00');
    expect(faults).to.deep.equal([]);
  });

  it('takes expenses one by one by their ids, once each, and goes on where the service was away', async () => {
    const shop = await sold();
    const { page, faults } = await open(`/shop/${shop.id}/settings/expenses`);
    await page.getByRole('link', { name: 'Upload a CSV' }).click();
    const head = 'external_id,name,category,amount,currency,frequency,started_on,ended_on,counts_as_ad_spend';
    const rows = Array.from({ length: 5 }, (_, i) => `e${i},Tool ${i},Software,${i + 1}.50,GBP,one_time,${today()},,`);
    const ads = `ads,Agency,marketing,9,GBP,monthly,2026-01-01,9999-12-31,YES`;
    const bad = 'bad,,rent,four,gbp,daily,2026-02-30,2026-01-01,perhaps';
    const early = `early,Rent,other,7,GBP,monthly,2026-02-01,2026-01-31,no`;
    await choose(page, [head, ...rows, ads, bad, early].join('\n'));
    const wrong = [
      'Expense is empty.',
      'Category is none of software, tools, va, marketing, other.',
      'Amount is no amount.',
      'Currency is no code such as EUR, in upper case.',
      'How often is none of monthly, weekly, yearly, one_time, per_order, percent_of_revenue.',
      'First day must be a real calendar day written YYYY-MM-DD.',
      'Counts as ads is neither true nor false.',
    ];
    await page.getByText(wrong.join(' ')).waitFor();
    await page.getByText('ended_on (2026-01-31) must not be before started_on (2026-02-01).').waitFor();
    expect(await audit(page)).to.deep.equal([]);
    const stored = async () => (await shop.call('GET', '/v1/costs/expenses')).body.expenses;
    expect(await stored()).to.deep.equal([]);
    let pushes = 0;
    await page.route('**/v1/costs/expenses', (route) => (++pushes === 3 ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Save 6 expenses' }).click();
    await page.getByText('Some are saved already').waitFor();
    expect(await stored()).to.have.lengthOf(2);
    await page.getByRole('button', { name: 'Save 6 expenses' }).click();
    await page.getByText('6 expenses saved').waitFor();
    await page.getByRole('heading', { name: 'All figures contain it' }).waitFor();
    const ids = (await stored()).map(({ external_id, amount, ended_on, counts_as_ad_spend }: Record<string, unknown>) =>
      [external_id, amount, ended_on, counts_as_ad_spend].join(' '),
    );
    expect(ids).to.deep.equal(['ads 9.00 9999-12-31 true', ...[1, 2, 3, 4, 5].map((n) => `e${n - 1} ${n}.50  false`)]);
    const figures = (await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}&include=expenses`)).body;
    expect(figures.operating_expenses).to.equal('17.50');
    await page.getByRole('link', { name: 'Expenses' }).first().click();
    await page.getByRole('row', { name: /Agency.*the API or a file/ }).waitFor();
    await page.goto(`${service().url}/shop/${shop.id}/settings/people`);
    await page.getByText('set an expense by its id, 8 times').waitFor();
    expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).to.deep.equal([]);
  });

  it('refuses a file that is too large or is none, and fits on a phone in the dark', async () => {
    const shop = await sold();
    const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const { page } = await open(`/shop/${shop.id}/products/upload`, options);
    await choose(page, 'x'.repeat(3 * 1024 * 1024));
    await page.getByText('The file is larger than 2 MB. Split it.').waitFor();
    await choose(page, 'name,price\na,1');
    await page.getByText('The first line names no column sku, unit_cost.').waitFor();
    const hostile = `<img src=x onerror=alert(1)>${'n'.repeat(1_000)}`;
    await choose(page, `sku,unit_cost\n${hostile},1\nMUG,1`);
    await page.getByRole('button', { name: 'Save 1 cost' }).waitFor();
    expect(await audit(page)).to.deep.equal([]);
    const [needed, room] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    expect(needed).to.equal(room);
    const names = ['Line', 'SKU', 'New cost', 'Valid from'];
    expect(await foldedNames(page)).to.deep.equal([[...names, 'Net profit changes by']]);
    await page.goto(`${service().url}/shop/${shop.id}/upload/orders`);
    await choose(page, `order_id,gateway_fee\n${'n'.repeat(255)},1`);
    await page.getByRole('button', { name: 'Save 1 order' }).waitFor();
    expect(await foldedNames(page)).to.deep.equal([
      ['Line', 'Order', 'Packing and shipping', 'Payment fee', 'Problem'],
    ]);
  });
});
