import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { joinAs, signInAsOperator } from '../console/support.js';
import { become, rent, useApp } from './support/app.js';

describe('two tabs of the app', () => {
  const { service, open } = useApp();
  const isAtSignIn = (url: URL): boolean => url.pathname === '/signin';

  /** Another tab of the same browser. */
  async function another(page: Page): Promise<Page> {
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    return tab;
  }

  it('keep each other’s changes of an expense, and say that one of them has deleted it', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const { page } = await open(`/shop/${shop.id}/settings/expenses`);
    await page.getByRole('button', { name: 'Add expense' }).click();
    await page.getByLabel('Name').fill('Agency');
    await page.getByLabel('Amount, GBP').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit Agency' }).waitFor();
    const other = await another(page);
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Edit Agency' }).click();
    await page.getByLabel('Amount, GBP').fill('12.50');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Agency.*£12.50/ }).waitFor();
    await other.getByLabel('Name').fill('Bureau');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('row', { name: /Bureau.*£12.50/ }).waitFor();

    await other.getByRole('button', { name: 'Edit Bureau' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Delete Bureau' }).click();
    await page.getByRole('button', { name: 'Delete expense' }).click();
    await page.getByText('No expenses yet.').waitFor();
    await other.getByLabel('Name').fill('Office');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('alert').getByText('This shop has no such expense.').waitFor();
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.reload();
    await other.getByText('No expenses yet.').waitFor();
  });

  it('delete an expense that came by its id, and say what makes it again', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    await shop.call('POST', '/v1/costs/expenses', rent());
    const { page, faults } = await open(`/shop/${shop.id}/settings/expenses`);
    await page.getByRole('button', { name: 'Delete Rent' }).click();
    await page.getByText('a push or a file with its id, rent, makes it again').waitFor();
    await page.getByRole('button', { name: 'Delete expense' }).click();
    await page.getByText('No expenses yet.').waitFor();
    expect((await shop.call('GET', '/v1/costs/expenses')).body.expenses).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
  });

  it('are both signed out by one of them, and by a change of the role', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const operator = await signInAsOperator(service());
    const person = await joinAs(service(), operator, { role: 'manager', shops: [shop.id] });
    const { page } = await open('/');
    await become(page, service(), person);
    const path = `/shop/${shop.id}/settings/expenses`;
    await page.goto(service().url + path);
    await page.getByText('No expenses yet.').waitFor();
    const other = await another(page);
    await other.getByText('No expenses yet.').waitFor();
    const rights = { role: 'viewer', shops: [shop.id] };
    expect((await operator.send('PATCH', `/app/api/people/${person.id}`, rights)).status).to.equal(200);
    await other.getByRole('button', { name: 'Add expense' }).click();
    await other.getByLabel('Name').fill('Agency');
    await other.getByLabel('Amount, GBP').fill('10');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.waitForURL(isAtSignIn);
    expect(new URL(other.url()).searchParams.get('next')).to.equal(path);
    await page.reload();
    await page.waitForURL(isAtSignIn);

    const { page: first } = await open(`/shop/${shop.id}/settings/shop`);
    const second = await another(first);
    await second.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
    await first.getByRole('button', { name: 'Sign out' }).click();
    await first.waitForURL(isAtSignIn);
    await second.getByRole('link', { name: 'Expenses' }).click();
    await second.waitForURL(isAtSignIn);
    expect((await shop.call('GET', '/v1/costs/expenses')).body.expenses).to.deep.equal([]);
  });
});
