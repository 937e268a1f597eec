import { checkConsent } from './support/consent-cases.js';
import { BERLIN, NEW_YORK, useShop } from './support/shop.js';

const cookiebot = (fields: string): string => `window.Cookiebot = { ${fields} };`;
const oneTrust = (groups: string, isClosed: boolean): string =>
  `window.OneTrust = { IsAlertBoxClosed: () => ${isClosed} }; window.OnetrustActiveGroups = ',${groups},';`;
const wordPress = (allowed: string): string => `window.wp_has_consent = (name) => ${allowed}.includes(name);`;

describe('pixel: consent tools', () => {
  checkConsent(useShop(), [
    {
      title: 'Cookiebot: a choice of statistics alone is analytics',
      zone: BERLIN,
      head: cookiebot('hasResponse: true, consent: { statistics: true, marketing: false }'),
      expected: 'analytics',
    },
    {
      title: 'Cookiebot: no choice yet denies what it denies',
      zone: NEW_YORK,
      head: cookiebot('hasResponse: false, consent: { statistics: false, marketing: false }'),
      expected: null,
    },
    {
      title: 'Cookiebot: a choice that comes late is heard',
      zone: BERLIN,
      head: cookiebot('hasResponse: false, consent: { statistics: false, marketing: false }'),
      then: `Cookiebot.hasResponse = true; Cookiebot.consent = { statistics: true, marketing: true };
        dispatchEvent(new Event('CookiebotOnAccept'))`,
      expected: 'analytics+marketing',
    },
    {
      title: 'OneTrust: groups that the visitor chose',
      zone: BERLIN,
      head: oneTrust('C0001,C0002,C0004', true),
      expected: 'analytics+marketing',
    },
    {
      title: 'OneTrust: necessary cookies alone are a no',
      zone: NEW_YORK,
      head: oneTrust('C0001', true),
      expected: null,
    },
    {
      title: 'WP Consent API: statistics alone is analytics',
      zone: BERLIN,
      head: wordPress(`['statistics']`),
      expected: 'analytics',
    },
  ]);
});
