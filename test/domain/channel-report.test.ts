import { expect } from 'chai';
import fc from 'fast-check';
import { apportion, formatMicros } from '../../src/domain/apportion.js';
import { addCredit, channelRows, type ChannelCredit } from '../../src/domain/channel-report.js';
import { formatDecimal, fraction, plus, ZERO, type Fraction } from '../../src/domain/money.js';
import { spendChannel } from '../../src/domain/spend-channel.js';

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
  const credit = (orders: string, revenue: string, refunds = '0', parts = 1): ChannelCredit =>
    addCredit(undefined, { parts, orders, revenue, refunds });

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

  it('adds up parts of different orders exactly', () => {
    let sum = credit('1', '10', '0', 3);
    sum = addCredit(sum, { parts: 7, orders: '2', revenue: '20', refunds: '0' });
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
