import { expect } from 'chai';
import fc from 'fast-check';
import { attribute, LOOK_BACK_MS, MAX_CAMPAIGNS } from '../../../src/domain/attribution/attribution.js';
import type { Share, Touch } from '../../../src/domain/attribution/attribution.js';
import { ATTRIBUTION_MODELS, type AttributionModel } from '../../../src/schemas/attribution.js';

const order = Date.parse('2026-03-01T12:00:00.000Z');
const hour = 3_600_000;

function touches(...list: readonly (readonly [number, string])[]): Touch[] {
  return list.map(([hoursBefore, text]) => {
    const [channel = '', campaign = ''] = text.split(' ');
    return {
      at: order - hoursBefore * hour,
      channel: channel.replace('!', ''),
      evidence: channel.endsWith('!') ? 'proved' : 'claimed',
      eventId: '',
      campaign,
    };
  });
}

function shown(shares: readonly Share[]): string {
  return shares
    .map(({ channel, evidence, campaign, numerator, denominator }) => {
      return `${channel}${evidence === 'proved' ? '!' : ''}${campaign === '' ? '' : ` ${campaign}`} ${numerator}/${denominator}`;
    })
    .join(', ');
}

const cases: readonly (readonly [string, Touch[], Readonly<Record<AttributionModel, string>>])[] = [
  [
    'several channels',
    touches([72, 'meta_ads'], [48, 'organic_search'], [24, 'meta_ads'], [1, 'email']),
    {
      last_touch: 'email 1/1',
      first_touch: 'meta_ads 1/1',
      linear: 'email 1/4, meta_ads 2/4, organic_search 1/4',
    },
  ],
  [
    'campaigns of a channel',
    touches(
      [72, 'meta_ads summer'],
      [48, 'meta_ads'],
      [24, 'email summer'],
      [2, 'meta_ads summer'],
      [1, 'direct late'],
    ),
    {
      last_touch: 'meta_ads summer 1/1',
      first_touch: 'meta_ads summer 1/1',
      linear: 'email summer 1/4, meta_ads 1/4, meta_ads summer 2/4',
    },
  ],
  [
    'campaigns at the same instant',
    touches([1, 'meta_ads b'], [1, 'meta_ads a']),
    { last_touch: 'meta_ads b 1/1', first_touch: 'meta_ads a 1/1', linear: 'meta_ads a 1/2, meta_ads b 1/2' },
  ],
  [
    'a direct visit last',
    touches([48, 'google_ads'], [1, 'direct']),
    { last_touch: 'google_ads 1/1', first_touch: 'google_ads 1/1', linear: 'google_ads 1/1' },
  ],
  [
    'direct visits alone',
    touches([48, 'direct'], [1, 'direct']),
    { last_touch: 'direct 1/1', first_touch: 'direct 1/1', linear: 'direct 2/2' },
  ],
  [
    'pages inside the shop',
    touches([2, 'email'], [1, 'internal']),
    { last_touch: 'email 1/1', first_touch: 'email 1/1', linear: 'email 1/1' },
  ],
  [
    'nothing but pages inside the shop',
    touches([1, 'internal']),
    { last_touch: 'unattributed 1/1', first_touch: 'unattributed 1/1', linear: 'unattributed 1/1' },
  ],
  ['no touch', [], { last_touch: 'unattributed 1/1', first_touch: 'unattributed 1/1', linear: 'unattributed 1/1' }],
  [
    'touches outside the look-back and after the order',
    touches([721, 'meta_ads'], [720, 'email'], [0, 'sms'], [-1, 'google_ads']),
    { last_touch: 'sms 1/1', first_touch: 'email 1/1', linear: 'email 1/2, sms 1/2' },
  ],
  [
    'touches that are proved, marked !, and others',
    touches([3, 'google_ads!'], [2, 'google_ads'], [1, 'email'], [1, 'organic_search!']),
    {
      last_touch: 'organic_search! 1/1',
      first_touch: 'google_ads! 1/1',
      linear: 'email 1/4, google_ads 1/4, google_ads! 1/4, organic_search! 1/4',
    },
  ],
  [
    'touches at one instant',
    touches([1, 'b'], [1, 'a']),
    { last_touch: 'b 1/1', first_touch: 'a 1/1', linear: 'a 1/2, b 1/2' },
  ],
];

describe('attribute', () => {
  for (const [what, list, expected] of cases) {
    for (const model of ATTRIBUTION_MODELS) {
      it(`gives an order after ${what} by ${model} to ${expected[model]}`, () => {
        expect(shown(attribute(list, order, model))).to.equal(expected[model]);
        expect(shown(attribute(list.toReversed(), order, model))).to.equal(expected[model]);
      });
    }
  }

  it('tells the newest campaigns apart where an order has more than anyone has', () => {
    const many = touches(...Array.from({ length: MAX_CAMPAIGNS + 50 }, (_, i) => [i + 1, `meta_ads c${i}`] as const));
    const shares = attribute(many, order, 'linear');
    expect(shares).to.have.length(MAX_CAMPAIGNS + 1);
    expect(shares[0]).to.include({ campaign: '', numerator: 50n });
    expect(attribute(many, order, 'first_touch')[0]).to.include({ campaign: `c${MAX_CAMPAIGNS + 49}` });
    expect(shares.some(({ campaign }) => campaign === `c${MAX_CAMPAIGNS - 1}`)).to.equal(true);
  });

  const anyTouch = fc.record({
    at: fc.integer({ min: order - 2 * LOOK_BACK_MS, max: order + LOOK_BACK_MS }),
    channel: fc.constantFrom('direct', 'internal', 'meta_ads', 'google_ads', 'email'),
    evidence: fc.constantFrom('proved' as const, 'claimed' as const, 'ambiguous' as const),
    eventId: fc.constant(''),
    campaign: fc.constantFrom('', 'summer', 'Summer'),
  });
  const anyModel = fc.constantFrom(...ATTRIBUTION_MODELS);

  it('gives away exactly one order, whatever the order of its touches', () => {
    fc.assert(
      fc.property(fc.array(anyTouch, { maxLength: 40 }), fc.nat(), anyModel, (list, turn, model) => {
        const shares = attribute(list, order, model);
        const at = list.length === 0 ? 0 : turn % list.length;
        expect(attribute([...list.slice(at), ...list.slice(0, at)], order, model)).to.deep.equal(shares);
        const total = shares.reduce((sum, { numerator }) => sum + numerator, 0n);
        expect(shares.every(({ denominator }) => denominator === total)).to.equal(true);
        expect(shares.map(({ channel }) => channel)).not.to.include('internal');
        const names = shares.map(({ channel, evidence, campaign }) => `${channel} ${evidence} ${campaign}`);
        expect(new Set(names).size).to.equal(names.length);
      }),
    );
  });
});
