import { expect } from 'chai';
import { useFreshShop, useService } from '../support/service.js';

describe('warnings of orders', () => {
  const service = useService();
  const shop = useFreshShop(service);

  it('are counted in the ingest status apart from errors, and listed by warned=1', async () => {
    const order = (order_id: string, fields: object = {}) => ({
      order_id,
      placed_at: new Date().toISOString(),
      currency: 'EUR',
      status: 'paid',
      total: '1',
      line_items: [{ line_id: 'a', quantity: '1', unit_price: '1' }],
      ...fields,
    });
    await shop.call('POST', '/v1/orders', {
      orders: [
        order('1', { gateway_fee: '2', tax: '3', taxes_included: true }),
        order('2', { gateway_fee: '2' }),
        order('3', { gateway_fee: '2', total: '7' }),
        order('4'),
      ],
    });
    await service.settled();
    const { orders, spend } = (await shop.call('GET', '/v1/ingest/status')).body.kinds;
    expect(orders.top_warning_codes).to.deep.equal([
      { code: 'fee_exceeds_total', count: 2, sample_message: 'The gateway fee is more than the total of the order.' },
      { code: 'tax_exceeds_total', count: 1, sample_message: 'The tax is more than the total of the order.' },
    ]);
    expect(orders.top_error_codes.map(({ code }: { code: string }) => code)).to.deep.equal(['sum_mismatch']);
    expect(spend).not.to.have.property('top_warning_codes');
    const ids = async (query: string) =>
      (await shop.call('GET', `/v1/orders?${query}`)).body.orders.map((one: { order_id: string }) => one.order_id);
    expect(await ids('warned=1')).to.have.members(['1', '2']);
    expect(await ids('warned=0')).to.have.members(['4']);
  });
});
