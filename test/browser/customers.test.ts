import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { CohortsResponse } from '../../src/schemas/cohorts.js';
import { TODAY } from './support/recorded-shops.js';
import { quiet } from './support/quiet.js';
import { useRecorded } from './support/recorded.js';

const RANGE = 'from=2026-02-01&to=2026-03-02';
const COHORTS = '/v1/customers/cohorts?from=2025-03-01&to=2026-03-02&by=month';

/** Per row its name and the exact amounts of its cells. */
async function rowsOf(page: Page, table: string): Promise<{ name: string; amounts: (string | null)[] }[]> {
  const rows = await page
    .getByRole('region', { name: `${table}, table` })
    .locator('tbody tr')
    .all();
  return Promise.all(
    rows.map(async (row) => ({
      name: await row.getByRole('link').innerText(),
      amounts: await row.locator('td data').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
    })),
  );
}

describe('the page of customers', () => {
  const { open, read, idOf } = useRecorded();

  it('says what /v1/metrics and the cohorts say, to the last digit, and opens their orders', async () => {
    const { customers } = await read('customers', `/v1/metrics?${RANGE}&include=coverage,statement,customers`);
    const { cohorts }: CohortsResponse = await read('customers', COHORTS);
    const { page, faults } = await open('customers', `?${RANGE}`);
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await quiet(page);
    expect(await rowsOf(page, 'New and returning')).to.deep.equal([
      { name: 'First orders', amounts: [customers.net_revenue_new, customers.profit_new] },
      { name: 'Later orders', amounts: [customers.net_revenue_returning, customers.profit_returning] },
      { name: 'Without a customer', amounts: [] },
    ]);
    await page.getByText(/for each new customer/).waitFor();
    expect(await page.locator('.panel-foot data').last().getAttribute('value')).to.equal(customers.cac);

    const shown = await rowsOf(page, 'Cohorts');
    const expected = cohorts.slice(cohorts.findIndex((cohort) => cohort.customers > 0)).reverse();
    expect(shown.map(({ amounts }) => amounts)).to.deep.equal(
      expected.map(({ ad_spend, cac, months }) =>
        [ad_spend, cac, ...[0, 2, 5, 11].map((at) => months[at]?.profit_total), months.at(-1)?.profit_total].filter(
          (amount) => amount != null,
        ),
      ),
    );
    const profits = page.getByRole('region', { name: 'Cohorts, table' }).locator('tbody tr td:nth-last-child(2)');
    expect((await profits.allInnerTexts()).map((text) => text.startsWith('at most'))).to.deep.equal(
      expected.map(({ orders_without_cost: costs, orders_without_fee: fees }) => costs + fees > 0),
    );
    const paidBack = page.getByRole('region', { name: 'Cohorts, table' }).locator('tbody tr td:last-child');
    expect(await paidBack.allInnerTexts()).to.deep.equal(['no customers', 'not yet', 'in month 2', 'no ads']);

    await page.getByRole('link', { name: 'Quarters' }).click();
    await page.getByRole('link', { name: '1 Oct – 31 Dec 2025' }).waitFor();
    expect(await page.getByRole('link', { name: 'CSV' }).getAttribute('href')).to.contain(
      '/csv/v1/customers/cohorts?from=2023-04-01&to=2026-03-02&by=quarter',
    );
    await page.getByRole('link', { name: 'Later orders' }).click();
    await page.getByText('1 order', { exact: true }).waitFor();
    expect(new URL(page.url()).search).to.equal(`?${RANGE}&customer=returning`);
    await page.getByRole('link', { name: 'Later orders' }).click();
    await page.getByText('4 orders', { exact: true }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: '1 Oct – 31 Dec 2025' }).click();
    await page.getByText('1 order', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('is a list of two lines a cohort on a phone, reached from More, and scrolls nowhere sideways', async () => {
    const viewport = { width: 390, height: 844 };
    const { page, faults } = await open('customers', `?${RANGE}`, { viewport });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await quiet(page);
    expect(await page.getByText('1 customer, in month 2').count()).to.equal(1);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(viewport.width);
    expect(faults).to.deep.equal([]);
  });

  it('has the same figures on paper', async () => {
    const { page } = await open('customers', `/customers?${RANGE}`);
    await quiet(page);
    const amounts = async () => (await page.locator('main data').filter({ visible: true }).allInnerTexts()).join();
    const onScreen = await amounts();
    await page.emulateMedia({ media: 'print' });
    expect(await amounts()).to.equal(onScreen);
    expect(await page.getByRole('navigation').count()).to.equal(0);
  });

  it('says of a shop whose orders name no customer that there is none', async () => {
    const { page, faults } = await open('selling', `/customers?from=${TODAY}&to=${TODAY}`);
    await page.getByText(/says whose it is/).waitFor();
    expect((await rowsOf(page, 'New and returning')).map(({ name }) => name)).to.deep.equal([
      'First orders',
      'Later orders',
      'Without a customer',
    ]);
    expect(await idOf('selling')).to.be.a('string');
    expect(faults).to.deep.equal([]);
  });
});
