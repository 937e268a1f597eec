import { expect } from 'chai';
import fc from 'fast-check';
import type { CampaignPart, CampaignSpend } from '../../../src/domain/attribution/campaign-match.js';
import { campaignRows } from '../../../src/domain/attribution/campaign-report.js';
import { channelRows } from '../../../src/domain/attribution/channel-report.js';
import { feeEstimate } from '../../../src/domain/costs/gateway-fees.js';
import { toMicros } from '../../../src/domain/micros.js';
import { fraction, plus, ZERO, type Fraction } from '../../../src/domain/money.js';

const credit = (channel: string, spelling: string, fields: Partial<CampaignPart> = {}): CampaignPart => ({
  channel,
  campaign: spelling.toLowerCase(),
  spelling,
  last: '2026-03-01',
  evidence: 'claimed',
  parts: 1,
  payment_gateway: '',
  orders: '1',
  revenue: '100',
  refunds: '0',
  gateway_fees: '0',
  cogs: '0',
  ...fields,
});
const spent = (id: string, name: string, amount: string, last = '2026-03-01'): CampaignSpend => ({
  channel: 'custom:facebook',
  campaign_id: id,
  campaign_name: name,
  id_key: id.toLowerCase(),
  name_key: name.toLowerCase(),
  last,
  amount,
});
const estimate = feeEstimate([{ payment_gateway: 'stripe', percent: '1.7', fixed: '0.3' }]);

const totals = (spend: readonly CampaignSpend[], more: Record<string, string> = {}): Map<string, Fraction> => {
  const sums = new Map(Object.entries(more).map(([channel, amount]) => [channel, fraction(amount)]));
  for (const { channel, amount } of spend) sums.set(channel, plus(sums.get(channel) ?? ZERO, fraction(amount)));
  return sums;
};
const rowsOf = (parts: readonly CampaignPart[], spend: readonly CampaignSpend[], more?: Record<string, string>) =>
  campaignRows(parts, spend, totals(spend, more), estimate);
const shown = (...given: Parameters<typeof rowsOf>) =>
  rowsOf(...given)
    .filter(({ channel }) => channel !== 'unattributed')
    .map((row) => `${row.campaign ?? '-'} (${row.campaign_id ?? '-'}) ${row.revenue} ${row.ad_spend}`);

describe('campaign rows', () => {
  it('set spend against what orders name by its id, else by its name', () => {
    const spend = [spent('1', 'Summer', '10'), spent('2', '1', '20'), spent('', 'Winter', '5')];
    const parts = [
      credit('meta_ads', '1'),
      credit('meta_ads', 'SUMMER', { revenue: '50' }),
      credit('meta_ads', 'winter'),
    ];
    expect(shown(parts, spend)).to.deep.equal([
      'SUMMER (1) 150.00 10.00',
      'winter (-) 100.00 5.00',
      '1 (2) 0.00 20.00',
    ]);
  });

  it('are named by the spend where orders name an id, and keep campaigns of other channels apart', () => {
    const parts = [credit('meta_ads', '77'), credit('google_ads', '77', { revenue: '30' })];
    expect(shown(parts, [spent('77', 'Old', '1', '2026-02-01'), spent('77', 'New', '2')])).to.deep.equal([
      'New (77) 100.00 3.00',
      '77 (-) 30.00 0.00',
    ]);
  });

  it('join ids that share a name which orders say, and only those', () => {
    const spend = [
      spent('1', 'Sale', '10'),
      spent('2', 'sale', '20'),
      spent('3', 'Other', '1'),
      spent('4', 'Other', '2'),
    ];
    expect(shown([credit('meta_ads', 'Sale')], spend)).to.deep.equal([
      'Sale (-) 100.00 30.00',
      'Other (4) 0.00 2.00',
      'Other (3) 0.00 1.00',
    ]);
  });

  it('have a row for what names no campaign: orders, spend, expenses', () => {
    const parts = [credit('meta_ads', ''), credit('meta_ads', 'Sale', { revenue: '7' })];
    const rows = rowsOf(parts, [spent('', 'Sale', '2')], { 'custom:facebook': '3', expenses: '4' });
    expect(rows.map((row) => [row.channel, row.campaign, row.revenue, row.ad_spend, row.profit])).to.deep.equal([
      ['meta_ads', null, '100.00', '3.00', '97.00'],
      ['meta_ads', 'Sale', '7.00', '2.00', '5.00'],
      ['expenses', null, '0.00', '4.00', '-4.00'],
      ['unattributed', null, '0.00', '0.00', '0.00'],
    ]);
  });

  it('tell at most a thousand campaigns apart that no order names, those of the most spend', () => {
    const spend = Array.from({ length: 1_003 }, (_, i) => spent(`c${i}`, '', String(i + 1)));
    const rows = rowsOf([credit('meta_ads', 'c0')], spend);
    expect(rows).to.have.length(1_003);
    const [, ...others] = rows;
    expect(rows[0]).to.include({ campaign: 'c0', ad_spend: '1.00' });
    expect(others.find(({ campaign, channel }) => campaign === null && channel === 'meta_ads')).to.include({
      ad_spend: '5.00',
    });
  });

  it('add up to the rows of the channels, to the last digit', () => {
    const amount = fc.integer({ min: 0, max: 10 ** 9 }).map((micros) => (micros / 1_000_000).toFixed(6));
    const name = fc.constantFrom('', 'A', 'a', 'b', '1', '2');
    const channel = fc.constantFrom('meta_ads', 'google_ads', 'unattributed');
    const parts = fc
      .record({ channel, name, amount, of: fc.integer({ min: 1, max: 7 }), fee: fc.boolean() })
      .map((one) =>
        credit(one.channel, one.name, {
          parts: one.of,
          revenue: one.amount,
          refunds: one.amount,
          cogs: one.amount,
          payment_gateway: one.fee ? 'stripe' : '',
        }),
      );
    const spend = fc.tuple(fc.constantFrom('', '1', '2', '3'), name, amount).map((given) => spent(...given));
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), fc.array(spend, { maxLength: 10 }), (credits, costs) => {
        const wanted = channelRows(credits, totals(costs, { expenses: '1.5' }), estimate);
        const rows = rowsOf(credits, costs, { expenses: '1.5' });
        for (const whole of wanted) {
          const own = rows.filter((row) => row.channel === whole.channel);
          for (const field of [
            'revenue',
            'refunds',
            'net_revenue',
            'cogs',
            'gateway_fees',
            'ad_spend',
            'profit',
          ] as const)
            expect(
              own.reduce((sum, row) => sum + toMicros(row[field]), 0n),
              field,
            ).to.equal(toMicros(whole[field]));
          expect(own.reduce((sum, row) => sum + Math.round(row.orders * 1e6), 0)).to.equal(
            Math.round(whole.orders * 1e6),
          );
        }
        expect(new Set(rows.map((row) => row.channel)).size).to.equal(wanted.length);
      }),
    );
  });
});
