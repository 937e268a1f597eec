import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dayBefore, TODAY } from './support/recorded-shops.js';
import { quiet } from './support/quiet.js';
import { useRecorded } from './support/recorded.js';

interface Period {
  date: string;
  to?: string;
  statement: { earnings: string };
}

describe('the bars of the overview in a browser', () => {
  const { open, read, url } = useRecorded();

  const ten = `from=${dayBefore(9)}&to=${TODAY}`;
  const earnings = async (page: Page): Promise<string[]> =>
    (await page.locator('.plot a').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))).map(
      (label) => label.replace(/^.*earnings £/, '').replaceAll(',', ''),
    );

  it('fill the height that the statement beside them gives', async () => {
    const { page } = await open('selling', '', { viewport: { width: 1440, height: 900 } });
    await page.locator('.plot a').nth(29).waitFor();
    await quiet(page);
    const bottomOf = async (name: string): Promise<number> => {
      const box = await page.locator(name).boundingBox();
      return box === null ? 0 : box.y + box.height;
    };
    const room = (await bottomOf('.hero')) - (await bottomOf('.chart'));
    expect(room).to.be.within(0, 16);
    expect((await page.locator('.verdict').boundingBox())?.height).to.be.at.most(60);
    const gap = ((await page.locator('.day-bars').boundingBox())?.y ?? 0) - (await bottomOf('.verdict'));
    expect(gap).to.be.within(0, 16);
  });

  it('have a line each for the day that it is compared with, where those days have orders', async () => {
    const { page, faults } = await open('twenty-days', `?${ten}`);
    await page.locator('.plot a').nth(9).waitFor();
    expect(await page.locator('.plot .before').count()).to.equal(10);
    const body = await read('twenty-days', `/v1/metrics/daily?${ten}&include=statement&vs=before`);
    await page.locator('.plot a').last().focus();
    const before = (body.compared as { days: Period[] }).days.at(-1)?.statement.earnings;
    expect(await page.locator('.tip data').last().getAttribute('value')).to.equal(before);
    await page.locator('.compared').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('give way to no change where the days before have no orders; the steps of the statement are bars then', async () => {
    const { page } = await open('selling', `?range=7d`);
    await page
      .locator('.change-line')
      .getByText(/^No orders in .* to compare with\.$/)
      .waitFor();
    expect(await page.locator('.statement .change').count()).to.equal(0);
    expect(await page.locator('.plot .before').count()).to.equal(0);
    const widths = await page
      .locator('.statement tr:has(rect)')
      .evaluateAll((all) =>
        Object.fromEntries(
          all.map((one) => [
            one.querySelector('data')?.dataset.row,
            one.querySelector('rect')?.getBoundingClientRect().width ?? 0,
          ]),
        ),
      );
    const body = await read('selling', `/v1/metrics?from=${TODAY}&to=${TODAY}`);
    for (const row of ['refunds', 'net_revenue', 'cogs', 'net_profit']) {
      const share = Number((body as Record<string, string>)[row]) / Number(body.revenue);
      expect((widths[row] ?? 0) / (widths.revenue ?? 1), row).to.be.closeTo(share, 0.01);
    }
  });

  it('name the one day whose refunds explain most, a link to them', async () => {
    const { page } = await open('twenty-days', `?${ten}`);
    await page.getByRole('link', { name: '£1,300.125 refunded' }).click();
    await page.waitForURL((url) => url.searchParams.get('from') === dayBefore(4));
    await page.getByRole('dialog', { name: 'Refunds' }).getByText('1 entry').waitFor();
    expect(await page.locator('.sheet .loud data').getAttribute('value')).to.equal('1300.125');
    await page.goto(await url('twenty-days', `?from=${dayBefore(3)}&to=${TODAY}`));
    await page.locator('.plot a').nth(3).waitFor();
    expect(await page.locator('.chart .note').count()).to.equal(0);
  });

  it('are of weeks by choice, and say what the API says of these', async () => {
    const { page } = await open('twenty-days', `?${ten}`);
    await page.locator('.plot a').nth(9).waitFor();
    await page.getByRole('group', { name: 'Show by' }).getByRole('link', { name: 'Week' }).click();
    await page.getByRole('heading', { name: 'Earnings by week' }).waitFor();
    expect(new URL(page.url()).searchParams.get('by')).to.equal('week');
    const body = await read('twenty-days', `/v1/metrics/daily?${ten}&include=statement&by=week`);
    const weeks = body.days as Period[];
    await page.locator('.plot a').nth(9).waitFor({ state: 'detached' });
    expect(await earnings(page)).to.deep.equal(weeks.map(({ statement }) => statement.earnings));
    await page.goBack();
    await page.locator('.plot a').nth(9).waitFor();
  });

  it('give way to the newest entries where the days are one', async () => {
    const { page } = await open('selling', `?range=today`);
    await page.locator('.of-day tbody tr').nth(4).waitFor();
    const body = await read(
      'selling',
      `/v1/metrics/explain?figure=net_profit&from=${TODAY}&to=${TODAY}&sort=time&limit=5`,
    );
    const shown = await page
      .locator('.of-day tbody data')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(shown).to.deep.equal((body.entries as { amount: string }[]).map(({ amount }) => amount));
    await page.getByRole('link', { name: 'All entries' }).click();
    await page.getByRole('dialog', { name: 'Net profit' }).getByText('7 entries').waitFor();
  });
});
