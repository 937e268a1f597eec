import { expect } from 'chai';
import { attributedShop, iso, range } from '../support/attributed-shop.js';
import { analystsOf } from '../support/bi-proxy.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const NOW = Date.now();

describe('amounts of bi', () => {
  const service = useService();

  it('what a fee rule gives stands beside the fee that counts, and discounts of lines beside those of the order', async () => {
    const other = await attributedShop(service);
    const rules = [{ payment_gateway: 'My Bank', percent: '1.5', fixed: '0.25' }];
    await other.shop.call('PUT', '/v1/costs/gateway-fees', { rules });
    const line = { line_id: '1', quantity: '2', unit_price: '11.111111', sku: 'A', line_discount: '2.222222' };
    const sold = { line_items: [line], discounts: '3.00', total: '17.00', placed_at: iso(NOW) };
    const of = [
      { order_id: 'actual', payment_gateway: 'my_bank', gateway_fee: '0.90' },
      { order_id: 'estimated', payment_gateway: 'MY BANK' },
      { order_id: 'none', payment_gateway: 'cash' },
      { order_id: 'unsaid' },
    ];
    for (const fields of of) await other.pushOrder({ ...sold, ...fields });
    await service.settled();
    const rows = analystsOf(service.stores, sharedBiProxy);
    const fees = await rows(
      other.shop,
      'SELECT order_id, gateway_fees, gateway_fees_by_rule, fee_source FROM bi.order_profit ORDER BY order_id',
    );
    expect(fees.map((row) => Object.values(row))).to.deep.equal([
      ['actual', '0.9', '0.505', 'actual'],
      ['estimated', '0.505', '0.505', 'estimated'],
      ['none', '0', null, 'none'],
      ['unsaid', '0', null, 'none'],
    ]);
    const { body } = await other.shop.call('GET', '/v1/orders/estimated');
    expect(body.gateway_fees).to.equal('0.505');
    expect(
      await rows(other.shop, "SELECT discounts, all_discounts FROM bi.orders WHERE order_id = 'actual'"),
    ).to.deep.equal([{ discounts: '3', all_discounts: '5.222222' }]);
    const { body: products } = await other.shop.call('GET', `/v1/products?${range()}`);
    for (const view of ['daily_products', 'products']) {
      const [product] = await rows(other.shop, `SELECT gross_sales, discounts, revenue FROM bi.${view}`);
      expect(product, view).to.deep.equal({ gross_sales: '88.888888', discounts: '8.888888', revenue: '80' });
      for (const [name, figure] of Object.entries(product ?? {}))
        expect(Number(figure), name).to.equal(Number(products.products[0][name]));
    }
  });
});
