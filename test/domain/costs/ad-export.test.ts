import { expect } from 'chai';
import { readAdExport } from '../../../src/domain/costs/ad-export.js';
import { addedUp, exportLines, type ExportOptions } from '../../../src/domain/costs/ad-export-rows.js';
import { isDamagedId } from '../../../src/domain/csv/damaged-id.js';
import { csvText } from '../../../src/domain/csv/read-csv.js';
import { spendChannel } from '../../../src/domain/costs/spend-channel.js';
import { storedChannel } from '../../../src/domain/costs/spend.js';

const read = (text: string, options: Partial<ExportOptions> = {}) => {
  const found = readAdExport(text);
  if (found === null || typeof found === 'string') throw new Error(found ?? 'no export');
  const { lines, totals } = exportLines(found, { decisions: {}, currency: undefined, ...options });
  return { found, totals, lines: addedUp(lines) };
};
const rows = (text: string, options: Partial<ExportOptions> = {}) => read(text, options).lines.map(({ item }) => item);

describe('an export of an ad network', () => {
  it('of Meta has its currency in a header, empty cells where nothing was spent, and a line of totals without a day', () => {
    const text = `Campaign name,Day,Campaign ID,Ad set name,Amount spent (EUR),Reporting starts,Reporting ends
,,,,138.70,2026-05-20,2026-05-21
"Sale, all",2026-05-20,120212345678901234,A,128.7,2026-05-20,2026-05-20
Brand,2026-05-21,120212345678901235,B,,2026-05-21,2026-05-21`;
    const { found, totals } = read(text);
    expect([found.network, found.currency, totals]).to.deep.equal(['Meta', 'EUR', 1]);
    expect(found.unread).to.deep.equal(['Reporting starts']);
    const row = { channel: 'Meta Ads', currency: 'EUR' };
    expect(rows(text)).to.deep.equal([
      { ...row, event_date: '2026-05-20', spend: '128.70', campaign_id: '120212345678901234', campaign_name: 'Sale, all', adset_name: 'A' },
      { ...row, event_date: '2026-05-21', spend: '0.00', campaign_id: '120212345678901235', campaign_name: 'Brand', adset_name: 'B' },
    ]); // prettier-ignore
    const whole = read(
      'Reporting starts,Reporting ends,Amount spent (USD)\n2026-05-01,2026-05-31,5\n2026-05-01,2026-05-01,6',
    );
    expect(whole.lines.map(({ fault }) => fault)).to.deep.equal([
      'It is of 2026-05-01 to 2026-05-31: export it with the breakdown “By day”.',
      null,
    ]);
  });

  it('of Google has two title lines, totals at the end, and for Excel is UTF-16 with tabs', () => {
    const text = `Campaign report
"October 1, 2026 - October 2, 2026"
Day,Campaign,Campaign ID,Currency code,Cost,Impr.
2026-10-01,Brand,1,MXN,"2,520.10",7500
2026-10-01,Brand,1,MXN,0.90,1
Total: Account,,,,"2,521.00",7501`;
    const row = {
      channel: 'Google Ads',
      event_date: '2026-10-01',
      currency: 'MXN',
      campaign_id: '1',
      campaign_name: 'Brand',
    };
    expect(rows(text)).to.deep.equal([{ ...row, spend: '2521.00' }]);
    expect(read(text).totals).to.equal(1);
    const lines = [
      'Campaign report',
      'October 1, 2026 - October 2, 2026',
      'Day\tCampaign\tCampaign ID\tCurrency code\tCost',
      '2026-10-01\tBrand\t1\tMXN\t2,520.10',
    ];
    const bytes = Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le');
    expect(rows(csvText(bytes) ?? '')).to.deep.equal([{ ...row, spend: '2520.10' }]);
  });

  it('of TikTok and Pinterest has date-times and amounts with a comma, and one that can mean two is asked', () => {
    const tiktok = `Campaign name;By Day;Campaign ID;Cost;Currency;CPC (destination)
A;2026-09-01 00:00:00;'1789012345678901;12,50;EUR;0,1
Total of 1 results;-;-;12,50;EUR;0,1`;
    expect(read(tiktok).lines[0]?.open).to.include({ decimal: '12.50', group: '1250' });
    expect(rows(tiktok, { decisions: { ',': 'decimal' } })).to.deep.equal([
      { channel: 'TikTok Ads', event_date: '2026-09-01', spend: '12.50', currency: 'EUR', campaign_id: '1789012345678901', campaign_name: 'A' },
    ]); // prettier-ignore
    const pinterest = 'sep=,\nDate,Campaign ID,Campaign name,Spend in account currency\n2026-09-01,626740000001,B,3.25';
    expect(read(pinterest).lines[0]?.fault).to.equal('No column names the currency.');
    expect(rows(pinterest, { currency: 'GBP' })).to.deep.equal([
      { channel: 'Pinterest Ads', event_date: '2026-09-01', spend: '3.25', currency: 'GBP', campaign_id: '626740000001', campaign_name: 'B' },
    ]); // prettier-ignore
    expect(readAdExport('Foo,Bar\n1,2')).to.equal(null);
    expect(readAdExport('')).to.be.a('string');
  });

  it('without ids is one row a day, since of rows of one key the last alone would count', () => {
    const text = 'Day,Campaign name,Amount spent (EUR)\n2026-05-20,A,10\n2026-05-20,B,0\n2026-05-20,C,2.5';
    const row = { channel: 'Meta Ads', event_date: '2026-05-20', currency: 'EUR' };
    expect(rows(text)).to.deep.equal([{ ...row, spend: '12.50' }]);
  });

  it('gives channels under which orders of its clicks are attributed', () => {
    const channels = ['Meta Ads', 'Google Ads', 'TikTok Ads', 'Pinterest Ads'].map((name) =>
      spendChannel(storedChannel(name) ?? ''),
    );
    expect(channels).to.deep.equal(['meta_ads', 'google_ads', 'tiktok_ads', 'pinterest_ads']);
  });

  it('is wrong by the line where a spreadsheet rounded an id', () => {
    const damaged = ['1.20212E+17', '1,20212E+17', '5.11E+12', '120212345678901000', '1234567890123450'];
    expect(damaged.filter(isDamagedId)).to.deep.equal(damaged);
    const right = ['120212345678901234', '123456789012000', '5123456789000', '1E5', '#1001', '12E', '1001'];
    expect(right.filter(isDamagedId)).to.deep.equal([]);
    const text = 'Day,Campaign ID,Amount spent (EUR)\n2026-05-20,1.20212E+17,10\n2026-05-20,120212345678901234,1';
    expect(read(text).lines.map(({ fault }) => fault?.slice(0, 44) ?? null)).to.deep.equal([
      'campaign_id “1.20212E+17” was rounded by a s',
      null,
    ]);
  });
});
