import { expect } from 'chai';
import { paidOrder } from '../support/paid-order.js';
import { useFreshShop, useService } from '../support/service.js';
import { NO_COVERAGE } from '../support/no-coverage.js';

const RANGE = 'from=2026-03-01&to=2026-03-02';
const line = (line_id: string, fields: object = {}) => ({ line_id, quantity: '1', unit_price: '10', ...fields });
const order = (id: string, fields: object = {}) => paidOrder(id, { line_items: [line('1')], ...fields });

describe('coverage of a range', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'UTC' });

  const push = async (...orders: object[]) => {
    const { body } = await shop.call('POST', '/v1/orders', { orders });
    expect(body.rejected, JSON.stringify(body)).to.equal(0);
    await service.settled();
  };
  const coverage = async (range = RANGE) =>
    (await shop.call('GET', `/v1/metrics?${range}&include=coverage`)).body.coverage;

  it('is of the days that were asked for, and only there where it was asked for', async () => {
    const refund = (refund_id: string, fields: object = {}) => ({
      refund_id,
      refunded_at: '2026-03-02T09:00:00Z',
      total: '1',
      ...fields,
    });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'My Bank', percent: '1', fixed: '0' }],
    });
    await push(
      order('known', {
        line_items: [line('1', { unit_cost: '0' })],
        gateway_fee: '0.30',
        tax: '1.60',
        taxes_included: true,
        fulfillment_cost: '0',
        payment_gateway: 'my_bank',
        refunds: [refund('1'), refund('2', { tax_refund: '0' })],
      }),
      order('half', {
        total: '20',
        line_items: [line('1', { unit_cost: '4' }), line('2', { sku: 'A' }), line('3', { unit_price: '0' })],
        payment_gateway: 'MY BANK',
        refunds: [refund('1')],
      }),
      order('next day', {
        placed_at: '2026-03-02T12:00:00Z',
        line_items: [line('1', { sku: 'A' })],
        total: '10.000001',
        shipping: '0.000001',
        payment_gateway: 'cash',
      }),
      order('test', { is_test: true, line_items: [line('1', { sku: 'B' })] }),
      order('pending', { status: 'pending', line_items: [line('1', { sku: 'C' })] }),
    );
    expect(await coverage()).to.deep.equal({
      cogs_complete: 33.33,
      gateway_fee_actual: 33.33,
      tax_present: 33.33,
      fulfillment_known: 33.33,
      orders: 3,
      orders_without_cost: 2,
      // A, and the line without SKU.
      products_without_cost: 2,
      orders_fee_estimated: 1,
      orders_without_fee: 1,
      orders_without_tax: 2,
      orders_without_fulfillment: 2,
      refunds_without_tax: 1,
      revenue_without_cost: '30.000001',
    });
    const missing = (await shop.call('GET', `/v1/products?${RANGE}&missing_cost=1`)).body.products;
    expect(missing.map(({ sku }: { sku: string | null }) => sku)).to.have.members(['A', null]);
    expect(await coverage('from=2026-03-01&to=2026-03-01')).to.deep.equal({
      cogs_complete: 50,
      gateway_fee_actual: 50,
      tax_present: 50,
      fulfillment_known: 50,
      orders: 2,
      orders_without_cost: 1,
      products_without_cost: 2,
      orders_fee_estimated: 1,
      orders_without_fee: 0,
      orders_without_tax: 1,
      orders_without_fulfillment: 1,
      refunds_without_tax: 0,
      revenue_without_cost: '20.00',
    });
    expect(await coverage('from=2026-03-03&to=2026-03-03')).to.deep.equal({
      ...NO_COVERAGE,
      revenue_without_cost: '0.00',
    });
    const both = (await shop.call('GET', `/v1/metrics?${RANGE}&include=expenses,coverage`)).body;
    expect(both).to.include.keys('coverage', 'operating_expenses', 'net_profit_after_expenses');
    expect((await shop.call('GET', `/v1/metrics?${RANGE}&include=expenses`)).body).not.to.have.property('coverage');
    const { body } = await shop.call('GET', `/v1/metrics/daily?${RANGE}&include=coverage`);
    expect(
      body.days.map((day: { coverage: { revenue_without_cost: string } }) => day.coverage.revenue_without_cost),
    ).to.deep.equal(['20.00', '10.000001']);
    expect(
      body.days.map((day: { coverage: { products_without_cost: number } }) => day.coverage.products_without_cost),
    ).to.deep.equal([2, 1]);
  });

  it('follows a cost that is pushed later, and an order that is replaced', async () => {
    await push(order('1', { line_items: [line('1', { sku: 'A' })] }), order('2'));
    expect(await coverage()).to.include({ cogs_complete: 0, revenue_without_cost: '20.00' });
    await shop.call('PUT', '/v1/products/costs', {
      costs: [{ sku: 'A', unit_cost: '3', effective_from: '2026-03-01' }],
    });
    await service.settled();
    expect(await coverage()).to.include({ cogs_complete: 50, revenue_without_cost: '10.00' });
    await push(order('2', { updated_at: '2026-03-02T00:00:00Z', line_items: [line('1', { unit_cost: '1' })] }));
    expect(await coverage()).to.include({ cogs_complete: 100, revenue_without_cost: '0.00' });
  });

  it('counts a restocked line of unknown cost on no day, and nothing of another shop', async () => {
    const refund = {
      refund_id: 'r',
      refunded_at: '2026-03-02T09:00:00Z',
      total: '10',
      line_items: [{ line_id: '1', quantity: '1', restock: true }],
    };
    await push(order('1', { refunds: [refund] }));
    const other = await service.shop({ timezone: 'UTC' });
    await other.call('POST', '/v1/orders', { orders: [order('1', { total: '10' })] });
    await service.settled();
    expect(await coverage()).to.include({ cogs_complete: 0, revenue_without_cost: '10.00' });
    expect(await coverage('from=2026-03-02&to=2026-03-02')).to.include({
      cogs_complete: null,
      revenue_without_cost: '0.00',
    });
  });

  it('stands in answers that ask for a list with commas or by a repeated parameter', async () => {
    for (const list of [
      'include=expenses,coverage',
      'include=expenses&include=coverage',
      'include=coverage&include=expenses',
    ]) {
      const { status, body } = await shop.call('GET', `/v1/metrics?${RANGE}&${list}`);
      expect(status, list).to.equal(200);
      expect(body, list).to.include.keys('coverage', 'operating_expenses');
    }
  });

  it('refuses to include what there is not', async () => {
    for (const path of ['/v1/metrics', '/v1/metrics/daily']) {
      for (const text of [
        '',
        'coverage,',
        'everything',
        'coverage,coverage',
        'coverage&include=coverage',
        'coverage&include=',
      ]) {
        const { status, body } = await shop.call('GET', `${path}?${RANGE}&include=${text}`);
        expect(status, text).to.equal(400);
        expect(body.errors).to.deep.equal([
          {
            code: 'invalid_value',
            message:
              'include must be one or more of expenses, coverage, statement, customers, each once, joined with commas or repeated.',
            field: 'include',
          },
        ]);
      }
    }
  });
});
