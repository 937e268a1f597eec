import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { PRESETS } from '../../src/console/web/shared/days.js';
import { dayBefore, TODAY } from './support/recorded-shops.js';
import { useRecorded } from './support/recorded.js';
import { quiet } from './support/quiet.js';

describe('the days of a page, in a browser', () => {
  const { open, url, idOf } = useRecorded();
  const two = (page: Page) => page.locator('data[data-metric=orders][value="2"]');
  const openRange = async (page: Page): Promise<void> => {
    await page.locator('.range-button').click();
    await page.getByRole('dialog', { name: 'Choose days' }).waitFor();
  };

  it('reads nothing while days are typed, and each endpoint once when they are taken', async () => {
    const { page } = await open('selling', '', { timeless: true });
    await two(page).waitFor();
    await quiet(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.locator('.range-button').press('Enter');
    const from = page.getByLabel('From', { exact: true });
    await from.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(dayBefore(40), { delay: 40 });
    expect(asked).to.deep.equal([]);
    await page.getByRole('button', { name: 'Show 41 days' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('from') === dayBefore(40));
    await two(page).waitFor();
    await quiet(page);
    expect(new Set(asked).size, asked.join('\n')).to.equal(asked.length);
    const first = asked.map((url) => new URL(url).searchParams.get('from')).filter((found) => found !== null);
    expect([...new Set(first)]).to.deep.equal([dayBefore(40)]);
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('from'));
  });

  it('says which days it can’t show, and goes on showing the ones before', async () => {
    const { page } = await open('selling', '');
    await openRange(page);
    const from = page.getByLabel('From', { exact: true });
    await from.fill('0010-01-01');
    await from.press('Enter');
    await page.getByText(/^Days from 1 Jan 1970 to today .* can be shown\.$/).waitFor();
    await from.fill(dayBefore(500));
    await from.press('Enter');
    await page.getByText('At most 366 days fit into one view.').waitFor();
    expect(new URL(page.url()).search).to.equal('');
    await two(page).waitFor();
  });

  it('are compared with what the address says, which the choice changes in one step', async () => {
    const { page, faults } = await open('selling', '?range=7d', { timeless: true });
    await two(page).waitFor();
    await quiet(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openRange(page);
    await page.getByRole('radio', { name: 'Nothing' }).check();
    expect(asked).to.deep.equal([]);
    await page.getByRole('button', { name: 'Show 7 days' }).click();
    await page.waitForURL((url) => url.search === '?range=7d&vs=none');
    await page.getByText('no comparison').waitFor();
    await quiet(page);
    expect(asked.filter((url) => url.includes('vs='))).to.deep.equal([]);
    expect(asked.some((url) => url.includes('/v1/metrics?'))).to.equal(true);
    await page.goto(page.url().replace('none', 'never'));
    await page.getByText('There is no comparison “never”.').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('follow single keys, which ? lists, but not while something is typed, nor where that is off', async () => {
    const { page } = await open('selling', '?range=7d');
    await two(page).waitFor();
    await page.keyboard.press('[');
    await page.waitForURL((url) => url.searchParams.get('to') === dayBefore(7));
    await page.keyboard.press(']');
    await page.waitForURL((url) => url.searchParams.get('to') === TODAY);
    // Before the browser has drawn a frame.
    await page.evaluate(`(async () => {
      for (let i = 0; i < 2; i++) {
        document.dispatchEvent(new KeyboardEvent('keydown', { key: '[' }));
        await null;
      }
    })()`);
    await page.waitForURL((url) => url.searchParams.get('to') === dayBefore(14));
    await page.goto(page.url().replace(/\?.*/, '?range=7d'));
    await two(page).waitFor();
    await page.keyboard.press('r');
    await page.getByLabel('From', { exact: true }).press('[');
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).search).to.equal('?range=7d');

    const shop = await idOf('selling');
    const isPath = (path: string) => page.waitForURL((url) => url.pathname === `/shop/${shop}${path}`);
    await page.keyboard.type('gr');
    await isPath('/orders');
    await page.getByRole('searchbox').waitFor();
    await page.locator('.list-table .door').nth(1).waitFor();
    await page.keyboard.type('jjk');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal(
      await page.locator('.list-table .door').first().textContent(),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/orders\/\d\?range=7d$/);
    await page.keyboard.type('go');
    await isPath('');
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keys' });
    await page.keyboard.type('gr');
    await list.getByRole('checkbox', { name: /^Use single keys/ }).uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.type('gr[?');
    await two(page).waitFor();
    expect(await list.count()).to.equal(0);
    expect(page.url()).to.match(/\?range=7d$/);
  });

  it('are taken by the letter of a preset while the choice is open, but not in a field, nor where keys are off', async () => {
    const { page } = await open('selling', '?range=7d');
    await two(page).waitFor();
    const choice = page.getByRole('dialog', { name: 'Choose days' });
    await page.keyboard.press('t');
    await page.keyboard.press('r');
    await choice.waitFor();
    await page.getByLabel('From', { exact: true }).press('y');
    await choice.getByRole('button', { name: 'Today', exact: true }).press('[');
    expect(new URL(page.url()).search).to.equal('?range=7d');
    await page.keyboard.press('Escape');
    for (const { id, key, label } of PRESETS) {
      await page.keyboard.press('r');
      await choice.getByText(`${label}${key.toUpperCase()}`, { exact: true }).waitFor();
      await page.keyboard.press(key);
      await choice.waitFor({ state: 'hidden' });
      const { searchParams } = new URL(page.url());
      expect([searchParams.get('range') ?? '30d', searchParams.has('from')]).to.deep.equal([id, false]);
    }
    await page.keyboard.press('?');
    await page.getByRole('row', { name: 'r t Today' }).waitFor();
    await page.keyboard.press('Escape');
    await openRange(page);
    await choice.getByRole('checkbox', { name: /^Use single keys/ }).uncheck();
    await choice.locator('kbd').first().waitFor({ state: 'detached' });
    await choice.getByRole('button', { name: 'Today', exact: true }).press('t');
    expect(new URL(page.url()).search).to.equal('?range=366d');
  });

  it('are shared as days, and come as CSV with what the API answers', async () => {
    const { page, faults } = await open('selling', '?range=7d', {
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    await two(page).waitFor();
    await page.getByRole('button', { name: 'Share this view' }).click();
    await page.getByText('Link copied').waitFor();
    const copied = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
    expect(copied.search).to.equal(`?from=${dayBefore(6)}&to=${TODAY}`);
    for (const name of ['', '/orders', '/products']) {
      await page.goto(await url('selling', name + copied.search));
      const link = page.getByRole('link', { name: 'CSV' });
      const href = (await link.getAttribute('href')) ?? '';
      const text = await page.evaluate<string>(`fetch(${JSON.stringify(href)}).then((answer) => answer.text())`);
      const lines = text.trim().split('\r\n');
      expect(lines.length, name).to.equal({ '': 8, '/orders': 3, '/products': 2 }[name]);
      expect(lines[0], name).to.match(/^(date|order_id|sku),/);
    }
    expect(faults).to.deep.equal([]);
  });

  for (const days of [
    'from=0010-01-01&to=0010-01-02',
    'from=2026-02-30&to=2026-03-01',
    'from=x',
    'to=9999-12-31',
    'range=forever',
  ]) {
    it(`shows no figures for the days of ${days}, but what is wrong with them`, async () => {
      const { page, faults } = await open('selling', `?${days}`);
      await page.getByText('The days in the address can’t be shown').waitFor();
      expect(await page.locator('data, .panel').count()).to.equal(0);
      await page.getByRole('link', { name: 'Show the last 30 days' }).click();
      await two(page).waitFor();
      expect(faults).to.deep.equal([]);
    });
  }
});
