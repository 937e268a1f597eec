import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dayBefore, TODAY } from './support/recorded-shops.js';
import { audit } from './support/axe.js';
import { quiet } from './support/quiet.js';
import { useRecorded } from './support/recorded.js';

describe('the overview in a browser', () => {
  const { open, read } = useRecorded();

  const value = (page: Page, name: string) => page.locator(`data[data-metric=${name}]`);
  const loud = (page: Page) => page.locator('[data-figure=earnings] data');
  const two = (page: Page) => value(page, 'orders').and(page.locator('[value="2"]'));
  const openRange = async (page: Page): Promise<void> => {
    await page.locator('.range-button').click();
    await page.getByRole('dialog', { name: 'Choose days' }).waitFor();
  };
  const showPreset = async (page: Page, name: string): Promise<void> => {
    await openRange(page);
    await page.getByRole('button', { name, exact: true }).click();
  };

  it('shows what is earned, and how it comes about', async () => {
    const { page, faults } = await open('renting', '');
    await two(page).waitFor();
    // 2469.00 - 200.005 - 720.60 - 36.14 - 700.00
    expect(await loud(page).getAttribute('value')).to.equal('812.255');
    expect(await loud(page).innerText()).to.equal('£812.255');
    expect(await page.locator('[data-figure=net_profit]').innerText()).to.equal('£1,512.255');
    const lines = await page.locator('.statement tbody tr').allInnerTexts();
    expect(
      lines
        .slice(-5)
        .map((text) => text.split('\t').map((cell) => cell.trim()))
        .map((cells) => [cells[0], cells.at(-1)]),
    ).to.deep.equal([
      ['Net profit', '£1,512.255'],
      ['Taxes passed on', 'not known'],
      ['Packing and shipping', 'not known'],
      ['Expenses', '−£700.00'],
      ['Earnings', '£812.255'],
    ]);
    expect(await page.getByText('No expenses known').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('says where no expenses are known, and leads to where they are added', async () => {
    const { page } = await open('selling', '');
    await page.getByText('No expenses known').waitFor();
    await page.getByRole('link', { name: 'Add expenses' }).click();
    await page.getByRole('button', { name: 'Add expense' }).waitFor();
  });

  it('says beside the earnings what has no cost, and how complete these very days are', async () => {
    const { page } = await open('cost-missing', '');
    await page
      .getByText('Not known: product costs of 1 of 3 orders, the payment fee of 1 of 3 orders, the tax of all 3 orders')
      .waitFor();
    await page.getByRole('heading', { name: 'Earnings, at most' }).waitFor();
    const cells = page.locator('.checks > li');
    expect(await cells.nth(0).innerText())
      .to.contain('Product costs missing')
      .and.contain('1 of 3 orders');
    expect(await cells.nth(0).innerText()).to.contain('£1,234.50 of revenue');
    expect(await cells.nth(2).innerText())
      .to.contain('Tax missing')
      .and.contain('all 3 orders');
    await showPreset(page, 'Today');
    await two(page).waitFor();
    expect(await cells.nth(0).innerText())
      .to.contain('Product costs known')
      .and.contain('all 2 orders');
  });

  it('tells no per cent of a loss or of nothing, but the difference', async () => {
    const { page } = await open('recovering', '?range=today');
    const change = page.locator('.change-line');
    await change.getByText('than').waitFor();
    expect(await change.innerText()).to.match(/^£131\.93 more than /);
    await page
      .locator('.statement tr', { hasText: 'Revenue' })
      .first()
      .locator('.change')
      .getByText('+£150.00')
      .waitFor();
    expect(await page.locator('.ratios > div').first().innerText()).to.match(/^Orders\s+1\s+was 1$/);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.statement tr', { hasText: 'Revenue' }).first().locator('.sub').getByText('+£150.00').waitFor();
  });

  it('has four lines of the statement on the first screen of a phone', async () => {
    const { page } = await open('recovering', '', { viewport: { width: 390, height: 844 } });
    await value(page, 'orders').waitFor();
    // The tabs are below 784.
    const lines = await page.evaluate<number>(
      `[...document.querySelectorAll('.hero .statement tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= 784).length`,
    );
    expect(lines).to.be.at.least(4);
  });

  it('names the spend in another currency that is left out, with its amount', async () => {
    const { page } = await open('spend-abroad', '?range=today');
    await page.getByText('Radio: €12.50 of spend in other currencies is left out').waitFor();
  });

  it('never breaks or cuts an amount on a phone, however long', async () => {
    const { page } = await open('huge', '', { viewport: { width: 360, height: 740 }, isMobile: true });
    await value(page, 'orders').waitFor();
    expect(await loud(page).innerText()).to.match(/^−£200,000,000,000,018\.06$/);
    const broken = await page.evaluate<string[]>(`[...document.querySelectorAll('.amount')].filter((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      const { left, right } = one.closest('.panel').getBoundingClientRect();
      const text = range.getBoundingClientRect();
      return text.width > 0 && (lines.size > 2 || text.height > 60 || text.left < left || text.right > right);
    }).map((one) => one.textContent)`);
    expect(broken).to.deep.equal([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(360);
  });

  it('draws a bar a day, each a link to that day, one tab stop for all', async () => {
    const { page } = await open('selling', '');
    const bars = page.locator('.plot a');
    await bars.nth(29).waitFor();
    expect(await bars.count()).to.equal(30);
    const body = await read('selling', `/v1/metrics/daily?from=${dayBefore(29)}&to=${TODAY}&include=statement`);
    const days = body.days as { date: string; statement: { earnings: string } }[];
    const shown = await bars.evaluateAll((all) => all.map((one) => one.getAttribute('data-day')));
    expect(shown).to.deep.equal(days.map(({ date }) => date));
    expect(await bars.last().getAttribute('aria-label')).to.contain('earnings £1,512.255');
    expect(days.at(-1)?.statement.earnings).to.equal('1512.255');
    expect(await page.locator('.plot a[tabindex="0"]').count()).to.equal(1);
    await page.locator('.plot a[tabindex="0"]').focus();
    await page.keyboard.press('End');
    expect(await page.evaluate('document.activeElement.dataset.day')).to.equal(TODAY);
    await page.locator('.tip', { hasText: '£1,512.255' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.tip').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate('document.activeElement.dataset.day')).to.equal(dayBefore(1));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('from') === TODAY && url.searchParams.get('to') === TODAY);
    await two(page).waitFor();
    await page.goBack();
    await bars.nth(29).waitFor();
  });

  it('draws weeks where the days are many', async () => {
    const { page } = await open('selling', '?range=366d');
    await page.getByRole('heading', { name: 'Earnings by week' }).waitFor();
    await page.locator('.plot a').nth(50).waitFor();
    expect(await page.locator('.plot a').count()).to.be.within(52, 54);
  });

  it('keeps all other figures when one read fails, and reads that one again on a press', async () => {
    const { page } = await open('selling', '');
    await two(page).waitFor();
    await page.locator('.plot a').first().waitFor();
    for (const path of ['**/v1/metrics?**', '**/v1/metrics/daily?**']) {
      await page.route(path, (route) => route.abort());
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.getByText('The service can’t be reached.').first().waitFor();
      expect(await value(page, 'orders').getAttribute('value'), path).to.equal('2');
      expect(await loud(page).getAttribute('value'), path).to.equal('1512.255');
      expect(await page.locator('.plot a').count(), path).to.equal(30);
      await page.unroute(path);
      await page.evaluate(`document.querySelectorAll('.stopped button').forEach((button) => button.click())`);
      await page.locator('.stopped').first().waitFor({ state: 'detached' });
    }
  });

  it('says once since when the store is away, keeps the last figures, and comes back by itself', async () => {
    const { page } = await open('selling', '');
    await two(page).waitFor();
    await quiet(page);
    const json = { errors: [{ code: 'store_unavailable', message: 'The warehouse is out of reach.' }] };
    await page.route('**/v1/**', (route) => route.fulfill({ status: 503, json }));
    const look = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await look();
    await quiet(page);
    const bar = page.locator('.stopped:visible');
    await bar.filter({ hasText: /These are the figures of .*\d\d:\d\d\..*new orders are still taken/ }).waitFor();
    expect(await bar.count()).to.equal(1);
    expect(await page.locator('.trouble:visible').count()).to.equal(0);
    expect(await loud(page).getAttribute('value')).to.equal('1512.255');
    expect(await page.locator('.plot a').count()).to.equal(30);
    expect(await audit(page)).to.deep.equal([]);
    await page.unroute('**/v1/**');
    await look();
    await page.locator('.stopped').first().waitFor({ state: 'detached' });
    expect(await loud(page).getAttribute('value')).to.equal('1512.255');
  });

  it('shows no figures of other days where those of the chosen ones can’t be read', async () => {
    const { page } = await open('selling', '');
    await two(page).waitFor();
    await page.route('**/v1/metrics?**', (route) => route.abort());
    await showPreset(page, 'Yesterday');
    await page.getByText('No figures until then.').waitFor();
    expect(await value(page, 'orders').count()).to.equal(0);
    expect(await page.locator('.statement data').count()).to.equal(0);
  });
});
