import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { TODAY } from './support/recorded-shops.js';
import { quiet } from './support/quiet.js';
import { useRecorded } from './support/recorded.js';

/** The texts of what can be seen of a selector. */
const seen = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).filter({ visible: true }).allInnerTexts();
const colours = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`['body', '.panel', '[data-figure=earnings]'].flatMap((selector) => {
    const { backgroundColor, color } = getComputedStyle(document.querySelector(selector));
    return [backgroundColor, color];
  })`);

describe('the overview on paper', () => {
  const { open, idOf } = useRecorded();

  it('has all figures with the shop and the days, and nothing to press', async () => {
    const { page, faults } = await open('renting', `?from=${TODAY}&to=${TODAY}&vs=none`);
    await quiet(page);
    const figures = 'data[value], [data-figure]';
    const onScreen = await seen(page, `main :is(${figures})`);
    const statement = await seen(page, '.statement tr');
    expect(statement.at(-1)).to.match(/Earnings[^]*£812.255/);
    const days = await seen(page, '.range-button');
    expect(await page.getByRole('navigation').count()).to.be.greaterThan(0);
    expect(await page.getByRole('link', { name: 'CSV' }).count()).to.equal(1);

    await page.emulateMedia({ media: 'print' });
    expect(await seen(page, `main :is(${figures})`)).to.deep.equal(onScreen);
    expect(await seen(page, '.statement tr')).to.deep.equal(statement);
    expect(await seen(page, '.range-button')).to.deep.equal(days);
    expect((await seen(page, '.shop-name')).join()).to.contain(await idOf('renting'));
    expect(await page.getByRole('navigation').count()).to.equal(0);
    expect(await seen(page, 'button:not(.range-button), .csv, .share, .tabs, .skip, input, select')).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
  });

  for (const [chosen, scheme] of [
    ['dark', 'light'],
    [null, 'dark'],
  ] as const)
    it(`is dark on white, also where the app is dark by ${chosen === null ? 'the system' : 'choice'}`, async () => {
      const { page } = await open('selling', '', { colorScheme: 'light' });
      await quiet(page);
      await page.emulateMedia({ media: 'print', colorScheme: 'light' });
      const white = await colours(page);
      expect(white[2]).to.equal('rgb(255, 255, 255)');

      await page.emulateMedia({ media: 'screen', colorScheme: scheme });
      if (chosen !== null) await page.evaluate(`document.documentElement.dataset.theme = '${chosen}'`);
      expect(await colours(page)).not.to.deep.equal(white);
      await page.emulateMedia({ media: 'print', colorScheme: scheme });
      expect(await colours(page)).to.deep.equal(white);
    });

  it('is no wider than a sheet', async () => {
    const { page } = await open('selling', '', { viewport: { width: 700, height: 1000 } });
    await quiet(page);
    await page.emulateMedia({ media: 'print' });
    const [needed, room] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    expect(needed).to.equal(room);
  });
});
