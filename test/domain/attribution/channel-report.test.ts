import { expect } from 'chai';
import fc from 'fast-check';
import { apportion, formatMicros } from '../../../src/domain/attribution/apportion.js';
import { addCredit, channelRows, type ChannelCredit } from '../../../src/domain/attribution/channel-report.js';
import { formatDecimal, fraction, plus, ZERO, type Fraction } from '../../../src/domain/money.js';
import { spendChannel } from '../../../src/domain/costs/spend-channel.js';

const part = (num: number, den: number): Fraction => ({ num: BigInt(num), den: BigInt(den) });

describe('apportion', () => {
  it('rounds parts so that they add up to the rounded sum', () => {
    const parts = fc.array(fc.tuple(fc.nat(10 ** 9), fc.integer({ min: 1, max: 60 })), { maxLength: 12 });
    fc.assert(
      fc.property(parts, (list) => {
        const exact = list.map(([num, den]) => part(num, den));
        const rounded = apportion(exact);
        const sum = rounded.reduce((so, micros) => so + micros, 0n);
        expect(formatMicros(sum)).to.equal(formatDecimal(exact.reduce(plus, ZERO)));
        rounded.forEach((micros, i) => {
          const { num, den } = exact[i] ?? ZERO;
          const off = micros * den - num * 1_000_000n;
          expect(off < den && -off < den, 'within a millionth').to.equal(true);
        });
      }),
    );
  });

  it('gives what is left over to those that lost most, the first of equals', () => {
    expect(apportion([part(1, 3), part(1, 3), part(1, 3)])).to.deep.equal([333334n, 333333n, 333333n]);
    expect(apportion([part(1, 6), part(1, 2), part(1, 3)])).to.deep.equal([166667n, 500000n, 333333n]);
    expect(apportion([])).to.deep.equal([]);
  });
});

describe('channel rows', () => {
  const unproved = { proved_orders: '0', proved_revenue: '0', proved_refunds: '0' };
  const credit = (orders: string, revenue: string, refunds = '0', parts = 1): ChannelCredit =>
    addCredit(undefined, { parts, orders, revenue, refunds, ...unproved });

  it('sorts by revenue, then spend, and puts what is unattributed last', () => {
    const credits = new Map([
      ['email', credit('1', '10')],
      ['unattributed', credit('9', '900')],
      ['google_ads', credit('1', '20', '5')],
    ]);
    const rows = channelRows(credits, new Map([['custom:google-ads', fraction('8')]]));
    expect(rows.map((row) => row.channel)).to.deep.equal(['google_ads', 'email', 'unattributed']);
    expect(rows[0]).to.deep.equal({
      channel: 'google_ads',
      orders: 1,
      revenue: '20.00',
      refunds: '5.00',
      net_revenue: '15.00',
      ad_spend: '8.00',
      roas: '2.50',
      proved: { orders: 0, revenue: '0.00', net_revenue: '0.00' },
    });
    expect(rows[1]?.roas).to.equal(null);
  });

  it('gives spend without orders a row of its own, and joins labels of one network', () => {
    const spend = new Map([
      ['custom:podcast', fraction('1')],
      ['custom:facebook', fraction('2')],
      ['custom:instagram', fraction('3')],
    ]);
    expect(channelRows(new Map(), spend).map((row) => [row.channel, row.ad_spend, row.roas])).to.deep.equal([
      ['meta_ads', '5.00', '0.00'],
      ['custom:podcast', '1.00', '0.00'],
      ['unattributed', '0.00', null],
    ]);
  });

  it('shows the proved part exactly, and never more than what it is of', () => {
    const proved = { proved_orders: '2', proved_revenue: '200', proved_refunds: '30' };
    const third = { parts: 3, orders: '2', revenue: '200', refunds: '30', ...proved };
    const credits = new Map([
      ['a', addCredit(undefined, third)],
      ['b', addCredit(undefined, { ...third, proved_orders: '1', proved_revenue: '199.999999', proved_refunds: '0' })],
      ['c', addCredit(undefined, { ...third, ...unproved })],
    ]);
    expect(
      channelRows(credits, new Map()).map(({ channel, revenue, proved: part }) => [channel, revenue, part]),
    ).to.deep.equal([
      ['a', '66.666667', { orders: 0.666667, revenue: '66.666667', net_revenue: '56.666667' }],
      ['b', '66.666667', { orders: 0.333333, revenue: '66.666666', net_revenue: '66.666666' }],
      ['c', '66.666666', { orders: 0, revenue: '0.00', net_revenue: '0.00' }],
      ['unattributed', '0.00', { orders: 0, revenue: '0.00', net_revenue: '0.00' }],
    ]);
  });

  it('tells the least of more than 1,000 channels together as other', () => {
    const proved = { proved_orders: '1', proved_revenue: '1', proved_refunds: '1' };
    const credits = new Map(
      Array.from({ length: 1_500 }, (_, i) => [
        `c${i}`,
        addCredit(undefined, { parts: 1, orders: '2', revenue: String(10_000 - i), refunds: '2', ...proved }),
      ]),
    );
    credits.set('other', credit('1', '0.5')).set('unattributed', credit('3', '7'));
    const spend = new Map(Array.from({ length: 1_000 }, (_, i) => [`custom:s${i}`, fraction('0.01')]));
    const rows = channelRows(credits, spend);
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
      ad_spend: '10.00',
      roas: formatDecimal(fraction(`${(joined + 0.5) / 10}`)),
      proved: { orders: 500, revenue: '500.00', net_revenue: '0.00' },
    });
    expect(rows.at(-1)).to.deep.include({ channel: 'unattributed', orders: 3, revenue: '7.00' });
  });

  it('adds up parts of different orders exactly', () => {
    let sum = credit('1', '10', '0', 3);
    sum = addCredit(sum, { parts: 7, orders: '2', revenue: '20', refunds: '0', ...unproved });
    expect(sum.revenue.num * 21n).to.equal(130n * sum.revenue.den);
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
