import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { auditThemes, axePath } from './support/axe.js';
import { quiet } from './support/quiet.js';
import { useRecorded } from './support/recorded.js';

/** 23:30 on 1 March in Los Angeles, 21:30 on 2 March on Kiritimati. */
const MOMENT = '2026-03-02T07:30:00Z';
const ISLAND = { timezoneId: 'Pacific/Kiritimati' };

describe('the days to pick, in a browser', () => {
  const { open } = useRecorded();

  async function openGrid(options: Parameters<typeof open>[2], search = '?range=7d') {
    const app = await open('los-angeles', search, { at: MOMENT, timeless: true, ...options });
    await app.page.locator('[data-figure=earnings] data').waitFor();
    await quiet(app.page);
    await app.page.locator('.range-button').click();
    await app.page.getByRole('dialog', { name: 'Choose days' }).waitFor();
    return app;
  }
  const focused = (page: Page) => page.evaluate('document.activeElement?.dataset.day');
  const marked = (page: Page) =>
    page
      .locator('[aria-selected=true]:visible [data-day]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-day')));

  it('are those of the shop where the browser is a day ahead', async () => {
    const { page, faults } = await openGrid(ISLAND);
    expect(await page.evaluate('new Date().getDate()')).to.equal(2);
    expect(await page.locator('[aria-current=date]').getAttribute('data-day')).to.equal('2026-03-01');
    expect(await page.locator('#range [data-day="2026-03-02"]').isDisabled()).to.equal(true);
    expect(await marked(page)).to.deep.equal([
      ...[23, 24, 25, 26, 27, 28].map((date) => `2026-02-${date}`),
      '2026-03-01',
    ]);
    expect(await page.getByLabel('To', { exact: true }).inputValue()).to.equal('1 Mar 2026');
    await page.getByLabel('From', { exact: true }).fill('-0');
    await page.getByText('1 Mar, 1 day. Days in Los Angeles.').waitFor();
    await page.getByRole('button', { name: 'Show 1 day' }).click();
    await page.waitForURL((url) => url.search === '?from=2026-03-01&to=2026-03-01');
    expect(faults).to.deep.equal([]);
  });

  it('are picked by keyboard alone, and read once, when they are taken', async () => {
    const { page } = await openGrid({});
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.locator('#range [data-day="2026-03-01"]').focus();
    const steps: unknown[] = [];
    for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowUp', 'Home', 'End', 'PageUp', 'PageUp', 'PageDown']) {
      await page.keyboard.press(key);
      steps.push(await focused(page));
    }
    expect(steps).to.deep.equal([
      '2026-03-01',
      '2026-02-28',
      '2026-02-21',
      '2026-02-16',
      '2026-02-22',
      '2026-01-22',
      '2025-12-22',
      '2026-01-22',
    ]);
    await page.keyboard.press('Enter');
    expect(await marked(page)).to.deep.equal(['2026-01-22']);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Space');
    // The later one is the last, whichever was picked first.
    expect(await marked(page)).to.deep.equal(['2026-01-20', '2026-01-21', '2026-01-22']);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Enter');
    expect(await marked(page)).to.deep.equal(['2025-12-20']);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    expect(asked).to.deep.equal([]);
    await page.getByRole('button', { name: 'Show 2 days' }).press('Enter');
    await page.waitForURL((url) => url.search === '?from=2025-12-20&to=2025-12-21');
    await quiet(page);
    const read = asked.filter((url) => url.includes('/v1/'));
    expect(new Set(read).size, read.join('\n')).to.equal(read.length);
    expect(read.length).to.be.greaterThan(0);
    await page.goBack();
    await page.waitForURL((url) => url.search === '?range=7d');
  });

  it('are dropped by Escape, and follow what is typed', async () => {
    const { page } = await openGrid({});
    await page.locator('#range [data-day="2026-02-10"]').click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Choose days' }).waitFor({ state: 'hidden' });
    await page.locator('.range-button').click();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).to.equal('23 Feb 2026');
    await page.getByLabel('From', { exact: true }).fill('1 dec 2010');
    await page.getByLabel('To', { exact: true }).fill('2010-12-03');
    await page.getByRole('grid', { name: 'December 2010' }).waitFor();
    expect(await marked(page)).to.deep.equal(['2010-12-01', '2010-12-02', '2010-12-03']);
    await page.getByRole('button', { name: 'The month before' }).click();
    await page.getByRole('grid', { name: 'October 2010' }).waitFor();
    expect(await page.getByRole('grid').allInnerTexts()).to.satisfy(([first = '', last = '']: string[]) => {
      return first.startsWith('October 2010') && last.startsWith('November 2010');
    });
  });

  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    it(`fit into ${width} pixels, light or dark, without anything that axe finds wrong`, async () => {
      const { page } = await openGrid({ ...ISLAND, viewport: { width, height } });
      const pop = await page.locator('#range').boundingBox();
      expect((pop?.x ?? -1) >= 0 && (pop?.x ?? 0) + (pop?.width ?? 0) <= width, JSON.stringify(pop)).to.equal(true);
      expect(await page.locator('.month:visible').count()).to.equal(width < 641 ? 1 : 2);
      if (axePath() !== null) expect(await auditThemes(page)).to.deep.equal([]);
      // A month that is not shown is shown once a key leads there.
      await page.locator('#range [data-day="2026-03-01"]').focus();
      await page.keyboard.press('ArrowLeft');
      expect(await focused(page)).to.equal('2026-02-28');
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
    });
  }
});
