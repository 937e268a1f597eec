import { expect } from 'chai';
import { readClickIds } from '../../../src/domain/events/click-ids.js';
import { readArrival } from '../../../src/domain/events/channel.js';
import { isPlaceholder } from '../../../src/domain/events/placeholder.js';
import { readParameter } from '../../../src/domain/events/url-parameter.js';
import { noUtm } from '../../../src/domain/events/utm.js';

describe('a parameter that no tool has filled in', () => {
  for (const value of [
    '{gclid}',
    '%7Bgclid%7D',
    '{{ad.id}}',
    '__CLICKID__',
    '%25%25CLICK%25%25',
    '[clickid]',
    'null',
    'undefined',
    '',
    '+',
  ]) {
    it(`is no click id: ${value}`, () => {
      expect(readClickIds([readParameter(`gclid=${value}`)])).to.deep.equal([]);
    });
  }

  it('leaves ids alone that are filled in, also one after an empty one', () => {
    for (const value of ['Cj0KCQ_-__', '__a8Kc__', 'EAIaIQobChMI', '0'])
      expect(isPlaceholder(value), value).to.equal(false);
    const found = readClickIds(['gclid={gclid}', 'gclid=real'].map(readParameter));
    expect(found.map(({ value }) => value)).to.deep.equal(['real']);
  });

  it('says nothing as a campaign', () => {
    const signs = { clickIds: [], referrerClass: 'search', referrerHost: 'www.google.com' } as const;
    const utm = { ...noUtm, source: '{{site_source_name}}', medium: '__MEDIUM__' };
    expect(readArrival({ ...signs, utm })).to.deep.equal({ channel: 'organic_search', evidence: 'proved' });
  });

  it('is unlike the names of placements that Meta fills in', () => {
    for (const source of ['an', 'msg', 'th', 'fb', 'ig']) {
      const signs = { clickIds: [], referrerClass: 'direct', referrerHost: '' } as const;
      expect(readArrival({ ...signs, utm: { ...noUtm, source, medium: 'cpc' } }).channel).to.equal('meta_ads');
    }
  });
});
