import { expect } from 'chai';
import { checkConsent } from './support/consent-cases.js';
import { GTAG } from './support/consent-tools.js';
import { BERLIN, NEW_YORK, useShop } from './support/shop.js';

describe('pixel: Google consent mode', () => {
  const open = useShop();
  const both = (value: string): string => `{ analytics_storage: '${value}', ad_storage: '${value}' }`;

  const inCalifornia = { zone: NEW_YORK, attributes: 'data-region="US-CA"', expected: null };
  const part = `gtag('consent', 'default', { ...${both('denied')}, region: ['US-CA'] });`;
  const whole = `gtag('consent', 'default', { ...${both('granted')}, region: ['US'] });`;

  checkConsent(open, [
    {
      ...inCalifornia,
      title: 'a state that denies wins over its country that grants later',
      head: GTAG + part + whole,
    },
    {
      ...inCalifornia,
      title: 'a state that denies wins over its country that grants before',
      head: GTAG + whole + part,
    },
    {
      title: 'a data layer of another name is read',
      zone: NEW_YORK,
      attributes: 'data-data-layer="layer2"',
      head: `window.layer2 = []; function gtag2() { layer2.push(arguments); }
          gtag2('consent', 'default', ${both('denied')})`,
      expected: null,
    },
    {
      title: 'a default denies where silence means yes',
      zone: NEW_YORK,
      head: `${GTAG} gtag('consent', 'default', ${both('denied')})`,
      expected: null,
    },
    {
      title: 'a default grants where silence means no',
      zone: BERLIN,
      head: `${GTAG} gtag('consent', 'default', ${both('granted')})`,
      expected: 'analytics+marketing',
    },
    {
      title: 'an update grants after a default that denies',
      zone: BERLIN,
      head: `${GTAG} gtag('consent', 'default', ${both('denied')})`,
      then: `gtag('consent', 'update', { analytics_storage: 'granted' })`,
      expected: 'analytics',
    },
    {
      title: 'a denied ad_user_data is no marketing',
      zone: BERLIN,
      head: `${GTAG} gtag('consent', 'default', { ...${both('granted')}, ad_user_data: 'denied' })`,
      expected: 'analytics',
    },
    {
      title: 'a late update withdraws',
      zone: NEW_YORK,
      then: `${GTAG} gtag('consent', 'update', ${both('denied')}); profit('track', 'page_view')`,
      expected: null,
    },
    {
      title: 'a default for the EEA denies there, under a grant for the rest',
      zone: BERLIN,
      head: `${GTAG} gtag('consent', 'default', { ...${both('denied')}, region: ['DE', 'FR'] });
          gtag('consent', 'default', ${both('granted')})`,
      expected: null,
    },
    {
      title: 'a default for the EEA does not deny elsewhere',
      zone: NEW_YORK,
      head: `${GTAG} gtag('consent', 'default', { ...${both('denied')}, region: ['DE', 'FR'] });
          gtag('consent', 'default', ${both('granted')})`,
      expected: 'analytics+marketing',
    },
    {
      title: 'a default for another country grants nothing here',
      zone: BERLIN,
      head: `${GTAG} gtag('consent', 'default', { ...${both('granted')}, region: ['US'] });
          gtag('consent', 'default', ${both('denied')})`,
      expected: null,
    },
    {
      title: 'a default for the country that the page names grants',
      zone: BERLIN,
      attributes: 'data-region="US-NY"',
      head: `${GTAG} gtag('consent', 'default', { ...${both('granted')}, region: ['US'] });
          gtag('consent', 'default', ${both('denied')})`,
      expected: 'analytics+marketing',
    },
    {
      title: 'a default for California denies where the page names only the country',
      zone: NEW_YORK,
      attributes: 'data-region="US"',
      head: `${GTAG} gtag('consent', 'default', { ...${both('denied')}, region: ['US-CA'] })`,
      expected: null,
    },
    {
      title: 'other entries and a value it does not know say nothing and grant nothing',
      zone: BERLIN,
      head: `${GTAG} dataLayer.push(null, 1, { event: 'consent' }, ['consent']); gtag('consent', 'default', ${both('?')})`,
      expected: null,
    },
  ]);

  it('leaves dataLayer.push as the page knows it', async () => {
    const { visit, page } = await open({ timezoneId: BERLIN, head: `<script>${GTAG}</script>` });
    await visit();
    expect(await page.evaluate(`[dataLayer.push({ a: 1 }, { b: 2 }), dataLayer.length]`)).to.deep.equal([2, 2]);
  });
});
