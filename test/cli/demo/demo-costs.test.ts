import { expect } from 'chai';
import { pushSampleCosts, SAMPLE_GATEWAY } from '../../../src/cli/demo/demo-costs.js';
import { readDemoMonth } from '../../../src/cli/demo/demo-month.js';

interface Pushed {
  method: string;
  path: string;
  json: { costs: { sku: string; unit_cost: string }[]; rows: unknown[] };
}

describe('pushSampleCosts', () => {
  const days = ['2010-12-01', '2010-12-02'];
  let pushed: Pushed[];

  beforeEach(() => {
    pushed = [];
  });

  const record = (method: string, path: string, json: unknown): Promise<unknown> => {
    pushed.push({ method, path, json: json as Pushed['json'] });
    return Promise.resolve({});
  };
  const to = (path: string) => pushed.filter((request) => request.path === path);

  it('gives every article of the month one cost below its lowest price, in batches of at most 1,000', async () => {
    const { orders } = await readDemoMonth(SAMPLE_GATEWAY);
    const said = await pushSampleCosts(record, orders, days);
    const costs = to('/v1/products/costs').flatMap(({ json }) => json.costs);
    const sold = orders.flatMap((order) => order.line_items);
    expect(new Set(costs.map(({ sku }) => sku))).to.deep.equal(new Set(sold.map(({ sku }) => sku)));
    expect(costs).to.have.length(new Set(costs.map(({ sku }) => sku)).size);
    expect(Math.max(...to('/v1/products/costs').map(({ json }) => json.costs.length))).to.be.at.most(1000);
    const lantern = costs.find(({ sku }) => sku === '71053');
    expect(lantern?.unit_cost).to.match(/^\d+\.\d\d$/);
    expect(said).to.equal(`${costs.length} unit costs, a fee rule for card payments, ad spend of 2 days, 2 expenses`);
    expect(orders.every((order) => order.payment_gateway === SAMPLE_GATEWAY)).to.equal(true);
  });

  it('sends the other costs as the contract has them', async () => {
    await pushSampleCosts(record, [], days);
    expect(to('/v1/costs/gateway-fees')[0]?.json).to.deep.equal({
      rules: [{ payment_gateway: 'card', percent: '1.4', fixed: '0.20' }],
    });
    expect(to('/v1/costs/spend')[0]?.json.rows[1]).to.deep.equal({
      channel: 'Search ads',
      event_date: '2010-12-02',
      currency: 'GBP',
      spend: '450.00',
    });
    expect(to('/v1/costs/expenses').map(({ json }) => json)[0]).to.deep.equal({
      external_id: 'demo-agency',
      name: 'Search agency',
      category: 'marketing',
      amount: '930.00',
      counts_as_ad_spend: true,
      currency: 'GBP',
      frequency: 'monthly',
      started_on: '2010-12-01',
    });
  });
});
