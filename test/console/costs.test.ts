import { expect } from 'chai';
import { addMoney } from '../../src/console/web/shared/money.js';
import { useService, type Shop } from '../support/service.js';
import { json, OPERATOR_ENV, signInAsOperator, type Operator } from './support.js';

const expense = {
  name: 'Search agency',
  category: 'marketing',
  amount: '31.00',
  currency: 'EUR',
  frequency: 'monthly',
  started_on: '2026-03-01',
  counts_as_ad_spend: true,
};

describe('costs in the app', () => {
  const service = useService({ env: OPERATOR_ENV });
  let operator: Operator;
  let shop: Shop;
  let path: string;
  before(async () => {
    operator = await signInAsOperator(service);
  });
  beforeEach(async () => {
    shop = await service.shop();
    path = `/app/api/shops/${shop.id}`;
  });

  const adSpend = async (from: string, to: string) =>
    (await shop.call('GET', `/v1/metrics?from=${from}&to=${to}`)).body.ad_spend;

  it('makes, edits, ends and deletes expenses, which the API never sees', async () => {
    const made = await json(await operator.post(`${path}/expenses`, expense), 201);
    expect(made).to.deep.equal({ ...expense, expense_id: made.expense_id, external_id: null, ended_on: null });
    expect(await adSpend('2026-03-01', '2026-03-31')).to.equal('31.00');
    expect((await shop.call('GET', '/v1/costs/expenses')).body).to.deep.equal({ expenses: [] });

    const one = `${path}/expenses/${made.expense_id}`;
    await json(await operator.send('PATCH', one, { ...expense, amount: '62' }));
    expect(await adSpend('2026-03-01', '2026-03-31')).to.equal('62.00');
    await json(await operator.post(`${one}/end`, { ended_on: '2026-03-10' }));
    expect(await adSpend('2026-03-01', '2026-03-31')).to.equal('20.00');
    expect((await operator.post(`${one}/end`, { ended_on: '2026-02-01' })).status).to.equal(400);
    expect((await operator.send('DELETE', one)).status).to.equal(204);
    expect((await operator.send('DELETE', one)).status).to.equal(404);
    expect(await adSpend('2026-03-01', '2026-03-31')).to.equal('0.00');
  });

  it('says what an expense, or the change of one, would change this month, which is what it then changes', async () => {
    const today = new Date().toISOString().slice(0, 10);
    shop = await service.shop({ currency: 'EUR', timezone: 'UTC' });
    path = `/app/api/shops/${shop.id}`;
    const line_items = [{ line_id: '1', quantity: '1', unit_price: '100.05' }];
    const orders = ['1', '2', '3'].map((order_id) => ({
      order_id,
      placed_at: `${today}T00:00:00Z`,
      currency: 'EUR',
      status: 'paid',
      total: '100.05',
      line_items,
    }));
    await shop.call('POST', '/v1/orders', { orders });
    await service.settled();
    const earned = async () =>
      (await shop.call('GET', `/v1/metrics?from=${today.slice(0, 8)}01&to=${today}&include=statement`)).body.statement
        .earnings as string;
    const range = { from: `${today.slice(0, 8)}01`, to: today, currency: 'EUR' };
    const since = { ...expense, started_on: '2026-01-01' };
    for (const fields of [
      { ...since, frequency: 'per_order', amount: '0.85', counts_as_ad_spend: false },
      { ...since, frequency: 'percent_of_revenue', amount: '1.4' },
      { ...since, frequency: 'monthly', amount: '31.000001', counts_as_ad_spend: false },
      { ...since, frequency: 'per_order', amount: '1', started_on: '2148-01-01' },
      { ...since, amount: '7', currency: 'USD' },
    ]) {
      const before = await earned();
      const preview = await json(await operator.post(`${path}/expenses/preview`, fields));
      expect(preview).to.deep.equal({ ...range, earnings_change: preview.earnings_change });
      expect(await earned()).to.equal(before);
      const { expense_id } = await json(await operator.post(`${path}/expenses`, fields), 201);
      const after = await earned();
      expect(addMoney(before, preview.earnings_change), JSON.stringify(fields)).to.equal(after);

      const edited = { ...fields, amount: '3.5', frequency: 'per_order' };
      const change = await json(await operator.post(`${path}/expenses/${expense_id}/preview`, edited));
      await json(await operator.send('PATCH', `${path}/expenses/${expense_id}`, edited));
      expect(addMoney(after, change.earnings_change)).to.equal(await earned());
    }
    expect(
      (
        await json(
          await operator.post(`${path}/expenses/preview`, { ...since, frequency: 'per_order', amount: '0.85' }),
        )
      ).earnings_change,
    ).to.equal('-2.55');
    await shop.call('POST', '/v1/costs/expenses', { ...since, external_id: 'x' });
    const { expenses } = await json(await operator.get(`${path}/expenses`));
    const pushed = expenses.find(({ external_id }: { external_id: string | null }) => external_id === 'x');
    for (const wrong of [{ amount: '1,5' }, { ended_on: '2025-12-31' }, { amount: 1 }])
      expect((await operator.post(`${path}/expenses/preview`, { ...since, ...wrong })).status).to.equal(400);
    expect((await operator.post(`${path}/expenses/${pushed.expense_id}/preview`, since)).status).to.equal(400);
    expect((await operator.post(`${path}/expenses/none/preview`, since)).status).to.equal(404);
  });

  it('shows expenses of the API, leaves changes of them to it, and deletes them', async () => {
    await shop.call('POST', '/v1/costs/expenses', { ...expense, external_id: 'x' });
    const { expenses } = await json(await operator.get(`${path}/expenses`));
    expect(expenses).to.have.lengthOf(1);
    expect(expenses[0]).to.include({ external_id: 'x' });
    const one = `${path}/expenses/${expenses[0].expense_id}`;
    expect((await operator.send('PATCH', one, expense)).status).to.equal(400);
    expect((await operator.post(`${one}/end`, { ended_on: '2026-03-10' })).status).to.equal(400);
    expect((await shop.call('GET', '/v1/costs/expenses')).body.expenses).to.have.lengthOf(1);
    expect((await operator.send('DELETE', one)).status).to.equal(204);
    expect((await shop.call('GET', '/v1/costs/expenses')).body.expenses).to.deep.equal([]);
    await shop.call('POST', '/v1/costs/expenses', { ...expense, external_id: 'x' });
    expect((await shop.call('GET', '/v1/costs/expenses')).body.expenses).to.have.lengthOf(1);
  });

  it('refuses what the API would refuse', async () => {
    for (const wrong of [{ amount: 31 }, { amount: '-1' }, { external_id: 'x' }, { ended_on: '2026-02-28' }]) {
      const answer = await operator.post(`${path}/expenses`, { ...expense, ...wrong });
      expect(answer.status, JSON.stringify(wrong)).to.equal(400);
    }
    const other = await service.shop();
    const made = await json(await operator.post(`${path}/expenses`, expense), 201);
    const foreign = `/app/api/shops/${other.id}/expenses/${made.expense_id}`;
    expect((await operator.send('DELETE', foreign)).status).to.equal(404);
  });

  it('sets fee rules, the ones that the API reads', async () => {
    const rules = [{ payment_gateway: 'Stripe', percent: '1.4', fixed: '0.25' }];
    await json(await operator.post(`${path}/gateway-fees`, { rules }));
    const seen = [{ payment_gateway: 'Stripe', percent: '1.40', fixed: '0.25' }];
    expect(await json(await operator.get(`${path}/gateway-fees`))).to.deep.equal({ rules: seen });
    expect((await shop.call('GET', '/v1/costs/gateway-fees')).body).to.deep.equal({ rules: seen });
    const twice = await operator.post(`${path}/gateway-fees`, {
      rules: [...rules, { ...rules[0], payment_gateway: 'STRIPE' }],
    });
    expect(twice.status).to.equal(400);
  });

  it('counts of how many orders each fee rule estimates the fee, and of how many none does, up to the last order', async () => {
    const sold = (id: string, fields: object) => ({
      order_id: id,
      placed_at: '2011-12-09T12:00:00Z',
      currency: 'EUR',
      status: 'paid',
      total: '100.05',
      line_items: [{ line_id: '1', quantity: '1', unit_price: '100.05' }],
      ...fields,
    });
    const orders = [
      sold('1', { payment_gateway: 'Shopify Payments' }),
      sold('2', { payment_gateway: 'shopify_payments', placed_at: '2011-11-10T12:00:00Z' }),
      sold('3', { payment_gateway: 'shopify_payments', gateway_fee: '1.11' }),
      sold('4', { payment_gateway: 'Klarna' }),
      sold('5', {}),
      sold('6', { payment_gateway: 'Klarna', is_test: true }),
      sold('7', { payment_gateway: 'Klarna', placed_at: '2011-11-09T12:00:00Z' }),
    ];
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(7);
    const rules = [
      { payment_gateway: 'SHOPIFY-PAYMENTS', percent: '1.4', fixed: '0.25' },
      { payment_gateway: 'cash', percent: '0', fixed: '1' },
    ];
    await json(await operator.post(`${path}/gateway-fees`, { rules }));
    await service.settled();
    const range = { from: '2011-11-10', to: '2011-12-09' };
    expect(await json(await operator.get(`${path}/gateway-fees/orders`))).to.deep.equal({
      ...range,
      orders: 5,
      estimated: 2,
      fees: '3.3014',
      unknown: 2,
      rules: [
        { payment_gateway: 'SHOPIFY-PAYMENTS', orders: 2 },
        { payment_gateway: 'cash', orders: 0 },
      ],
      without_rule: ['klarna'],
    });
    const { body } = await shop.call('GET', `/v1/metrics?from=${range.from}&to=${range.to}&include=coverage`);
    expect(body).to.deep.include({ gateway_fees: '4.4114' });
    expect(body.coverage).to.deep.include({ orders: 5, orders_fee_estimated: 2, gateway_fee_actual: 20 });
  });
});
