import { expect } from 'chai';
import { causeName } from '../../src/console/web/changes/cause-name.js';
import { channelName } from '../../src/console/web/channels/names.js';
import { formatAxisMoney, formatExactMoney } from '../../src/console/web/shared/money.js';

describe('words in the pages', () => {
  it('call spend like the channel of its orders, whatever name it was sent under', () => {
    expect(['custom:facebook', 'custom:facebook-ads', 'meta_ads'].map(channelName)).to.deep.equal(
      Array.from({ length: 3 }, () => 'Meta Ads'),
    );
    expect(['custom:tiktok', 'custom:local-radio', 'direct'].map(channelName)).to.deep.equal([
      'TikTok Ads',
      'Local radio',
      'Direct visits',
    ]);
  });

  it('give no number of orders where each counts on several days', () => {
    expect(causeName({ kind: 'late_order', count: 2055, days: 23 })).to.equal('Orders of past days arrived');
    expect(causeName({ kind: 'late_order', count: 3, days: 1 })).to.equal('3 orders of past days arrived');
    expect(causeName({ kind: 'unit_cost', count: 3, days: 23 })).to.equal('3 unit costs were changed');
  });

  it('have one minus sign', () => {
    expect(formatAxisMoney(-200, 'EUR')).to.match(/^−/);
    expect(formatExactMoney('-5.5', 'EUR')).to.match(/^−/);
  });
});
