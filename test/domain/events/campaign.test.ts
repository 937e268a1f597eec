import { expect } from 'chai';
import { visit, type FlatVisit } from './visit.js';

describe('campaign parameters', () => {
  const cases: readonly (readonly [string, string, Partial<FlatVisit>])[] = [
    [
      'all six',
      'utm_source=a&utm_medium=b&utm_campaign=c&utm_term=d&utm_content=e&utm_id=f',
      { utm_source: 'a', utm_medium: 'b', utm_campaign: 'c', utm_term: 'd', utm_content: 'e', utm_id: 'f' },
    ],
    ['names in any case', 'UTM_Source=Google&Utm_Medium=CPC', { utm_source: 'Google', utm_medium: 'CPC' }],
    ['encoded names and blanks', 'utm%5Fsource=+a%20%20b+%0A', { utm_source: 'a b' }],
    ['the first value that is not blank', 'utm_source=&utm_source=+&utm_source=x&utm_source=y', { utm_source: 'x' }],
    ['what stands behind an escaped ampersand', 'a=1&amp;utm_source=x', { utm_source: 'x' }],
    ['other scripts', 'utm_campaign=%E5%A4%8F%E3%82%BB%E3%83%BC%E3%83%AB', { utm_campaign: '夏セール' }],
    ['malformed encoding as it stands', 'utm_campaign=50%+off', { utm_campaign: '50% off' }],
    [
      'a date, a number and an ad id',
      'utm_campaign=sale+2026-03-01&utm_content=20260301&utm_id=120212345678901234',
      { utm_campaign: 'sale 2026-03-01', utm_content: '20260301', utm_id: '120212345678901234' },
    ],
    [
      'nothing of an e-mail address',
      'utm_campaign=jane%40mail.example&utm_term=call+%2B4915112345678',
      { utm_campaign: '', utm_term: '' },
    ],
    ['nothing of unknown names', 'utm_email=x&utm_constructor=y', { utm_source: '', utm_campaign: '' }],
    ['no half characters', `utm_term=${'a'.repeat(254)}%F0%9F%98%80`, { utm_term: 'a'.repeat(254) }],
  ];
  for (const [what, query, expected] of cases) {
    it(`reads ${what}`, () => {
      expect(visit(query)).to.include(expected);
    });
  }

  it('reads those of the fragment where the query has none', () => {
    expect(visit('utm_source=q#utm_source=f&utm_medium=cpc')).to.include({ utm_source: 'q', utm_medium: 'cpc' });
    expect(visit('#/products/1?utm_source=f')).to.include({ utm_source: 'f' });
  });
});
