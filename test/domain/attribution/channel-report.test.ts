import { expect } from 'chai';
import fc from 'fast-check';
import { apportion } from '../../../src/domain/attribution/apportion.js';
import type { CreditPart } from '../../../src/domain/attribution/channel-credit.js';
import { channelRows } from '../../../src/domain/attribution/channel-report.js';
import { feeEstimate } from '../../../src/domain/costs/gateway-fees.js';
import { formatScaled, toMicros } from '../../../src/domain/micros.js';
import { decimal, formatDecimal, fraction, plus, ZERO, type Fraction } from '../../../src/domain/money.js';
import { spendChannel } from '../../../src/domain/costs/spend-channel.js';

const part = (num: number, den: number): Fraction => ({ num: decimal(BigInt(num)), den: BigInt(den) });
const microsOf = (parts: readonly Fraction[]): bigint[] => apportion(parts).map((amount) => toMicros(amount.toFixed()));

describe('apportion', () => {
  it('rounds parts so that they add up to the rounded sum', () => {
    const amount = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
    const parts = fc.array(fc.tuple(amount, fc.integer({ min: 1, max: 60 })), { maxLength: 12 });
    fc.assert(
      fc.property(parts, (list) => {
        const exact = list.map(([num, den]) => part(num, den));
        const rounded = microsOf(exact);
        const sum = rounded.reduce((so, micros) => so + micros, 0n);
        expect(formatScaled(sum, 6)).to.equal(formatDecimal(exact.reduce(plus, ZERO)));
        rounded.forEach((micros, i) => {
          const [num, den] = (list[i] ?? [0, 1]).map(BigInt) as [bigint, bigint];
          const off = micros * den - num * 1_000_000n;
          expect(off < den && -off < den, 'within a millionth').to.equal(true);
        });
      }),
    );
  });

  it('gives what is left over to those that lost most, the first of equals', () => {
    expect(microsOf([part(1, 3), part(1, 3), part(1, 3)])).to.deep.equal([333334n, 333333n, 333333n]);
    expect(microsOf([part(1, 6), part(1, 2), part(1, 3)])).to.deep.equal([166667n, 500000n, 333333n]);
    expect(apportion([])).to.deep.equal([]);
  });
});

describe('channel rows', () => {
  const none = { orders: 0, revenue: '0.00', net_revenue: '0.00' };
  const credit = (channel: string, fields: Partial<CreditPart>): CreditPart => ({
    channel,
    evidence: 'ambiguous',
    parts: 1,
    payment_gateway: '',
    orders: '0',
    revenue: '0',
    refunds: '0',
    gateway_fees: '0',
    cogs: '0',
    ...fields,
  });
  const rowsOf = (parts: CreditPart[], spend: ReadonlyMap<string, Fraction> = new Map()) =>
    channelRows(parts, spend, feeEstimate([{ payment_gateway: 'Stripe', percent: '1', fixed: '0.1' }]));

  it('sorts by revenue, then spend, and puts what is unattributed last', () => {
    const parts = [
      credit('email', { orders: '1', revenue: '10' }),
      credit('unattributed', { orders: '9', revenue: '900' }),
      credit('google_ads', {
        orders: '1',
        revenue: '20',
        refunds: '5',
        evidence: 'claimed',
        cogs: '4',
        gateway_fees: '1',
      }),
    ];
    const rows = rowsOf(parts, new Map([['custom:google-ads', fraction('8')]]));
    expect(rows.map((row) => row.channel)).to.deep.equal(['google_ads', 'email', 'unattributed']);
    expect(rows[0]).to.deep.equal({
      channel: 'google_ads',
      orders: 1,
      revenue: '20.00',
      refunds: '5.00',
      net_revenue: '15.00',
      cogs: '4.00',
      gateway_fees: '1.00',
      ad_spend: '8.00',
      profit: '2.00',
      roas: '2.50',
      proved: none,
      claimed: { orders: 1, revenue: '20.00', net_revenue: '15.00' },
      ambiguous: none,
    });
    expect(rows[1]?.roas).to.equal(null);
  });

  it('gives spend without orders a row of its own, and joins labels of one network', () => {
    const spend = new Map([
      ['custom:podcast', fraction('1')],
      ['custom:facebook', fraction('2')],
      ['custom:instagram', fraction('3')],
    ]);
    expect(rowsOf([], spend).map((row) => [row.channel, row.ad_spend, row.profit, row.roas])).to.deep.equal([
      ['meta_ads', '5.00', '-5.00', '0.00'],
      ['custom:podcast', '1.00', '-1.00', '0.00'],
      ['unattributed', '0.00', '0.00', null],
    ]);
  });

  it('estimates the fees of parts of orders, and takes back those of refunds', () => {
    const rows = rowsOf([
      credit('a', { parts: 3, orders: '2', revenue: '100', payment_gateway: 'stripe', evidence: 'proved' }),
      credit('a', { parts: 3, orders: '1', revenue: '50', payment_gateway: 'other' }),
      credit('b', { parts: 3, orders: '1', revenue: '50', payment_gateway: 'stripe' }),
      credit('b', { refunds: '20', gateway_fees: '-0.5', cogs: '-3.5' }),
    ]);
    expect(rows.map(({ channel, gateway_fees, cogs, profit }) => [channel, gateway_fees, cogs, profit])).to.deep.equal([
      ['a', '0.40', '0.00', '49.60'],
      ['b', '-0.30', '-3.50', '0.466667'],
      ['unattributed', '0.00', '0.00', '0.00'],
    ]);
  });

  it('splits each amount by evidence into parts that add up to it', () => {
    const third = { parts: 3, orders: '1', revenue: '100', refunds: '10' };
    const rows = rowsOf([
      ...(['proved', 'claimed', 'ambiguous'] as const).map((evidence) => credit('a', { ...third, evidence })),
      credit('b', { ...third, evidence: 'claimed' }),
      credit('b', { ...third, revenue: '0.000001', evidence: 'proved' }),
      credit('c', { ...third, evidence: 'proved' }),
    ]);
    expect(rows.map(({ channel, proved, claimed, ambiguous }) => [channel, proved, claimed, ambiguous])).to.deep.equal([
      [
        'a',
        { orders: 0.333333, revenue: '33.333333', net_revenue: '30.00' },
        { orders: 0.333334, revenue: '33.333334', net_revenue: '30.00' },
        { orders: 0.333333, revenue: '33.333333', net_revenue: '30.00' },
      ],
      [
        'b',
        { orders: 0.333333, revenue: '0.00', net_revenue: '-3.333333' },
        { orders: 0.333334, revenue: '33.333334', net_revenue: '30.00' },
        none,
      ],
      ['c', { orders: 0.333333, revenue: '33.333333', net_revenue: '30.00' }, none, none],
      ['unattributed', none, none, none],
    ]);
  });

  it('tells the least of more than 1,000 channels together as other', () => {
    const parts = Array.from({ length: 1_500 }, (_, i) => [
      credit(`c${i}`, { orders: '1', revenue: '1', refunds: '1', evidence: 'proved' }),
      credit(`c${i}`, { orders: '1', revenue: String(9_999 - i), refunds: '1', cogs: '2' }),
    ]).flat();
    parts.push(credit('other', { orders: '1', revenue: '0.5' }), credit('unattributed', { orders: '3', revenue: '7' }));
    const spend = new Map(Array.from({ length: 1_000 }, (_, i) => [`custom:s${i}`, fraction('0.01')]));
    const rows = rowsOf(parts, spend);
    expect(rows).to.have.length(1_002);
    expect(rows.filter(({ channel }) => /^c\d+$/.test(channel)).map(({ channel }) => channel)).to.deep.equal(
      Array.from({ length: 1_000 }, (_, i) => `c${i}`),
    );
    const joined = Array.from({ length: 500 }, (_, i) => 9_000 - i).reduce((sum, revenue) => sum + revenue, 0);
    expect(rows.find(({ channel }) => channel === 'other')).to.deep.equal({
      channel: 'other',
      orders: 1_001,
      revenue: `${joined}.50`,
      refunds: '1000.00',
      net_revenue: `${joined - 1_000}.50`,
      cogs: '1000.00',
      gateway_fees: '0.00',
      ad_spend: '10.00',
      profit: `${joined - 2_010}.50`,
      roas: formatDecimal(fraction(`${(joined + 0.5) / 10}`)),
      proved: { orders: 500, revenue: '500.00', net_revenue: '0.00' },
      claimed: none,
      ambiguous: { orders: 501, revenue: `${joined - 500}.50`, net_revenue: `${joined - 1_000}.50` },
    });
    expect(rows.at(-1)).to.deep.include({ channel: 'unattributed', orders: 3, revenue: '7.00' });
  });
});

describe('the channel of spend', () => {
  const cases: Record<string, string> = {
    'custom:google-ads': 'google_ads',
    'custom:google': 'google_ads',
    'custom:adwords': 'google_ads',
    'custom:facebook': 'meta_ads',
    'custom:facebook-ads': 'meta_ads',
    'custom:meta-ads': 'meta_ads',
    'custom:x-ads': 'x_ads',
    'custom:bing': 'microsoft_ads',
    'custom:tiktok-retargeting': 'tiktok_ads',
    'custom:paid-social': 'paid_social',
    'custom:newsletter': 'email',
    'custom:awin': 'affiliate',
    'custom:podcast': 'custom:podcast',
    'custom:duckduckgo': 'custom:duckduckgo',
    'custom:unattributed': 'custom:unattributed',
    expenses: 'expenses',
  };
  for (const [name, channel] of Object.entries(cases)) {
    it(`is ${channel} for ${name}`, () => expect(spendChannel(name)).to.equal(channel));
  }
});
