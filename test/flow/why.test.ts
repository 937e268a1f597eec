import { Big } from 'big.js';
import { expect } from 'chai';
import { paidOrder } from '../support/paid-order.js';
import { useService, type Shop } from '../support/service.js';

const NOW = 'from=2026-03-08&to=2026-03-14';
const BEFORE = 'from=2026-03-01&to=2026-03-07';

interface Part {
  figure: string;
  change: string;
  because: { kind: string; id?: string; name?: string; date?: string; change: string }[];
}

describe('why earnings changed', () => {
  const service = useService();
  let shop: Shop;

  const earningsOf = async (range: string): Promise<string> =>
    (await shop.call('GET', `/v1/metrics?${range}&include=statement`)).body.statement.earnings;
  const ask = async (query = NOW) => (await shop.call('GET', `/v1/metrics/why?${query}`)).body;

  before(async () => {
    shop = await service.shop();
    const at = (day: string) => ({ placed_at: `2026-03-${day}T12:00:00Z` });
    const sold = (id: string, day: string, price: string, more: object = {}) =>
      paidOrder(id, {
        ...at(day),
        total: price,
        line_items: [{ line_id: '1', sku: 'MUG', quantity: '1', unit_price: price, unit_cost: '3.333333' }],
        ...more,
      });
    const refunds = [{ refund_id: 'r-1', refunded_at: '2026-03-10T12:00:00Z', total: '25' }];
    await shop.call('POST', '/v1/orders', {
      orders: [
        sold('old', '02', '100', { payment_gateway: 'stripe', tax: '15.966387', taxes_included: true }),
        sold('new-1', '09', '60', { payment_gateway: 'stripe', refunds }),
        sold('new-2', '10', '90', { fulfillment_cost: '7' }),
        sold('new-3', '11', '5'),
        sold('new-4', '12', '0.01'),
      ],
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [
        { channel: 'google', event_date: '2026-03-03', spend: '20', currency: 'EUR' },
        { channel: 'google', event_date: '2026-03-09', spend: '5', currency: 'EUR' },
        { channel: 'meta', event_date: '2026-03-10', spend: '40', currency: 'EUR' },
      ],
    });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'stripe', percent: '1.777777', fixed: '0.3' }],
    });
    await shop.call('POST', '/v1/costs/expenses', {
      external_id: 'rent', name: 'Rent', category: 'other', amount: '100', currency: 'EUR', frequency: 'monthly', started_on: '2026-03-08',
    }); // prettier-ignore
    await service.settled();
  });

  it('is said in parts that add up to the difference of the two answers', async () => {
    const { parts, change, figure, compared } = (await ask()) as {
      parts: Part[];
      change: string;
      figure: string;
      compared: unknown;
    };
    expect(figure).to.equal('earnings');
    expect(compared).to.deep.equal({ from: '2026-03-01', to: '2026-03-07' });
    expect(change).to.equal(
      Big(await earningsOf(NOW))
        .minus(await earningsOf(BEFORE))
        .toFixed(),
    );
    expect(parts.reduce((sum, part) => sum.plus(part.change), Big(0)).toFixed()).to.equal(Big(change).toFixed());
    const weights = parts.map((part) => Big(part.change).abs().toNumber());
    expect(weights).to.deep.equal([...weights].sort((a, b) => b - a));
    expect(parts.map((part) => part.figure)).to.include.members(['revenue', 'refunds', 'cogs', 'ad_spend', 'gateway_fees', 'taxes', 'fulfillment_costs', 'operating_expenses']); // prettier-ignore
  });

  it('names what weighed most, in the direction of the part', async () => {
    const { parts } = (await ask()) as { parts: Part[] };
    const because = (figure: string) => parts.find((part) => part.figure === figure)?.because;
    expect(because('revenue')).to.deep.equal([
      { kind: 'order', id: 'new-2', date: '2026-03-10', change: '90.00' },
      { kind: 'order', id: 'new-1', date: '2026-03-09', change: '60.00' },
      { kind: 'order', id: 'new-3', date: '2026-03-11', change: '5.00' },
    ]);
    expect(because('refunds')).to.deep.equal([
      { kind: 'refund', id: 'r-1', name: 'new-1', date: '2026-03-10', change: '-25.00' },
    ]);
    expect(because('ad_spend')).to.deep.equal([{ kind: 'channel', id: 'custom:meta', change: '-40.00' }]);
    expect(because('operating_expenses')).to.deep.include({
      kind: 'expense',
      id: 'rent',
      name: 'Rent',
      change: '-22.580645',
    });
    expect(because('fulfillment_costs')).to.deep.equal([{ kind: 'day', date: '2026-03-10', change: '-7.00' }]);
    expect(because('taxes')).to.deep.equal([{ kind: 'day', date: '2026-03-02', change: '15.966387' }]);
  });

  it('is nothing where nothing changed, and a fault where it can’t be', async () => {
    expect(await ask('from=2026-01-08&to=2026-01-14')).to.deep.include({ change: '0.00', parts: [] });
    expect((await ask('from=2026-03-08&to=2026-03-14&vs=never')).errors[0].code).to.equal('invalid_value');
    expect((await ask('from=2026-03-08&to=2026-03-14&as_of=2026-03-14T00:00:00Z')).errors[0].code).to.equal(
      'unknown_field',
    );
  });
});
