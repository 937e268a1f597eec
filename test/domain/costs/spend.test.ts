import { expect } from 'chai';
import { checkSpendRules, clearsDay, storedChannel, type SpendInput } from '../../../src/domain/costs/spend.js';

describe('the stored channel', () => {
  const cases: [string, string | null][] = [
    ['Radio Ads', 'custom:radio-ads'],
    ['  Café -- Zürich!! ', 'custom:cafe-zurich'],
    ['custom:Radio', 'custom:radio'],
    [' Custom: custom:Radio', 'custom:custom-radio'],
    ['fooBar_2.5', 'custom:foobar-2-5'],
    ['Radio & TV', 'custom:radio-tv'],
    ["don't", 'custom:don-t'],
    ['♥ radio 🦄', 'custom:radio'],
    ['Straße Ørsted', 'custom:strasse-orsted'],
    ['Яндекс', 'custom:yandeks'],
    ['İstanbul', 'custom:istanbul'],
    ['', null],
    ['custom:', null],
    ['—!?', null],
  ];
  for (const [label, stored] of cases) {
    it(`of ${JSON.stringify(label)} is ${String(stored)}`, () => expect(storedChannel(label)).to.equal(stored));
  }

  it('is its own stored channel', () => {
    for (const [, stored] of cases) if (stored !== null) expect(storedChannel(stored)).to.equal(stored);
  });
});

describe('a label that can name no channel', () => {
  for (const [what, channel, says] of [
    ['signs alone', '—!?', 'can be spelled in plain letters'],
    ['letters that have no plain spelling', '日本', 'can be spelled in plain letters'],
    ['too many once they are spelled out', 'ß'.repeat(200), 'at most 255 characters'],
  ] as const) {
    it(`is told why: ${what}`, () => {
      const [fault, ...others] = checkSpendRules({ channel });
      expect(others).to.deep.equal([]);
      expect(fault).to.include({ code: 'invalid_channel', field: 'channel' });
      expect(fault?.message).to.include(says);
    });
  }
});

describe('a spend row', () => {
  const row: SpendInput = { channel: 'Radio', event_date: '2026-03-01', currency: 'EUR', spend: '0' };

  it('clears its day when the spend is any zero and no id is given', () => {
    expect(clearsDay(row)).to.equal(true);
    expect(clearsDay({ ...row, spend: '000.000000', campaign_name: 'x' })).to.equal(true);
  });

  it('clears nothing else with an id or an amount', () => {
    expect(clearsDay({ ...row, spend: '0.000001' })).to.equal(false);
    for (const id of ['campaign_id', 'adset_id', 'ad_id']) expect(clearsDay({ ...row, [id]: 'x' })).to.equal(false);
  });
});
