import { expect } from 'chai';
import fc from 'fast-check';
import { attribute, attributionModels, lookBackMs, splitAmount } from '../../src/domain/attribution.js';
import type { AttributionModel, Share, Touch } from '../../src/domain/attribution.js';

const order = Date.parse('2026-03-01T12:00:00.000Z');
const hour = 3_600_000;

function touches(...list: readonly (readonly [number, string])[]): Touch[] {
  return list.map(([hoursBefore, channel]) => ({ at: order - hoursBefore * hour, channel }));
}

function shown(shares: readonly Share[]): string {
  return shares.map(({ channel, numerator, denominator }) => `${channel} ${numerator}/${denominator}`).join(', ');
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
    'touches at one instant',
    touches([1, 'b'], [1, 'a']),
    { last_touch: 'b 1/1', first_touch: 'a 1/1', linear: 'a 1/2, b 1/2' },
  ],
];

describe('attribute', () => {
  for (const [what, list, expected] of cases) {
    for (const model of attributionModels) {
      it(`gives an order after ${what} by ${model} to ${expected[model]}`, () => {
        expect(shown(attribute(list, order, model))).to.equal(expected[model]);
        expect(shown(attribute(list.toReversed(), order, model))).to.equal(expected[model]);
      });
    }
  }

  const anyTouch = fc.record({
    at: fc.integer({ min: order - 2 * lookBackMs, max: order + lookBackMs }),
    channel: fc.constantFrom('direct', 'internal', 'meta_ads', 'google_ads', 'email'),
  });
  const anyModel = fc.constantFrom(...attributionModels);

  it('gives away exactly one order, whatever the order of its touches', () => {
    fc.assert(
      fc.property(fc.array(anyTouch, { maxLength: 40 }), fc.nat(), anyModel, (list, turn, model) => {
        const shares = attribute(list, order, model);
        const at = list.length === 0 ? 0 : turn % list.length;
        expect(attribute([...list.slice(at), ...list.slice(0, at)], order, model)).to.deep.equal(shares);
        const total = shares.reduce((sum, { numerator }) => sum + numerator, 0n);
        expect(shares.every(({ denominator }) => denominator === total)).to.equal(true);
        expect(shares.map(({ channel }) => channel)).not.to.include('internal');
      }),
    );
  });
});

describe('splitAmount', () => {
  const third: Share[] = ['c', 'a', 'b'].map((channel) => ({ channel, numerator: 1n, denominator: 3n }));
  const amounts: readonly (readonly [string, readonly string[]])[] = [
    ['100.00', ['33.333333', '33.333334', '33.333333']],
    ['-100', ['-33.333333', '-33.333334', '-33.333333']],
    ['0.000002', ['0.00', '0.000001', '0.000001']],
    ['0', ['0.00', '0.00', '0.00']],
    ['36.3', ['12.10', '12.10', '12.10']],
    ['999999999999999.999999', ['333333333333333.333333', '333333333333333.333333', '333333333333333.333333']],
  ];
  for (const [amount, parts] of amounts) {
    it(`splits ${amount} in three`, () => {
      expect(splitAmount(amount, third).map((part) => part.amount)).to.deep.equal(parts);
    });
  }

  it('gives what is left over to the part that lost most', () => {
    const shares = [
      { channel: 'a', numerator: 1n, denominator: 7n },
      { channel: 'b', numerator: 6n, denominator: 7n },
    ];
    expect(splitAmount('0.000001', shares).map(({ amount }) => amount)).to.deep.equal(['0.00', '0.000001']);
  });

  for (const amount of ['', '1.', '.5', '1e3', '1.0000001', '+1', ' 1', 'NaN']) {
    it(`refuses "${amount}" as an amount`, () => {
      expect(() => splitAmount(amount, third)).to.throw(RangeError, 'decimal');
    });
  }

  it('refuses shares that do not add up to one', () => {
    expect(() => splitAmount('1', third.slice(1))).to.throw(RangeError, 'one');
    expect(() => splitAmount('1', [])).to.throw(RangeError, 'one');
  });

  const anyShares = fc
    .array(fc.bigInt({ min: 0n, max: 1_000n }), { minLength: 1, maxLength: 12 })
    .filter((weights) => weights.some((weight) => weight > 0n))
    .map((weights) => {
      const denominator = weights.reduce((sum, weight) => sum + weight, 0n);
      return weights.map((numerator, at): Share => ({ channel: `c${at}`, numerator, denominator }));
    });
  const anyMicros = fc.bigInt({ min: -(10n ** 21n), max: 10n ** 21n });

  it('splits any amount by any shares into parts that add up to it, each within a millionth of its exact share', () => {
    fc.assert(
      fc.property(anyMicros, anyShares, (micros, shares) => {
        const parts = splitAmount(decimal(micros), shares).map(({ amount }) => microsOf(amount));
        expect(parts.reduce((sum, part) => sum + part, 0n)).to.equal(micros);
        for (const [at, { numerator, denominator }] of shares.entries()) {
          const error = (parts[at] ?? 0n) * denominator - micros * numerator;
          expect(error < denominator && -error < denominator).to.equal(true);
        }
      }),
    );
  });

  it('gives each channel the same whatever the order of the shares', () => {
    fc.assert(
      fc.property(anyMicros, anyShares, (micros, shares) => {
        const forth = splitAmount(decimal(micros), shares);
        expect(splitAmount(decimal(micros), shares.toReversed())).to.deep.equal(forth.toReversed());
      }),
    );
  });
});

function decimal(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? '-' : ''}${size / 1_000_000n}.${(size % 1_000_000n).toString().padStart(6, '0')}`;
}

function microsOf(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(6, '0'));
  return amount.startsWith('-') ? -size : size;
}
