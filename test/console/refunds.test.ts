import { expect } from 'chai';
import { useService, useShop } from '../support/service.js';
import { json, OPERATOR_ENV, refusalOf, signInAsOperator, type Operator } from './support.js';

describe('refunds that the app looks for', () => {
  const service = useService({ env: OPERATOR_ENV });
  const shop = useShop(service);
  let operator: Operator;
  before(async () => {
    operator = await signInAsOperator(service);
  });
  const find = (q: string, days = 'from=2026-03-01&to=2026-03-31', of = shop.id) =>
    operator.get(`/app/api/shops/${of}/refunds?q=${encodeURIComponent(q)}&${days}`);
  const push = (order_id: string, refunds: [id: string, at: string, total: string][], fields = {}) =>
    shop.call('POST', '/v1/orders', {
      orders: [
        {
          order_id,
          placed_at: '2026-02-27T12:00:00Z',
          updated_at: '2026-03-01T00:00:00Z',
          currency: 'EUR',
          status: 'paid',
          total: '100',
          line_items: [{ line_id: '1', quantity: '1', unit_price: '100' }],
          refunds: refunds.map(([refund_id, day, total]) => ({ refund_id, refunded_at: `${day}T12:00:00Z`, total })),
          ...fields,
        },
      ],
    });

  it('are those of the days whose id begins so, as their orders are now, the newest first', async () => {
    await push('1', [
      ['Ré-1', '2026-03-02', '1.10'],
      ['RÉ-2', '2026-03-04', '2.000001'],
      ['X', '2026-03-04', '3'],
    ]);
    await push('2', [['ré-3', '2026-03-03', '4']]);
    await push('3', [['ré-4', '2026-02-28', '5']]);
    await push('4', [['ré-5', '2026-03-05', '6']]);
    await service.settled();
    await push('2', [['ré-6', '2026-03-03', '4.50']], { updated_at: '2026-03-05T00:00:00Z' });
    expect((await shop.call('DELETE', '/v1/orders/4')).status).to.equal(204);
    await service.settled();
    expect(await json(await find('rÉ-'))).to.deep.equal({
      currency: 'EUR',
      refunds: [
        { refund_id: 'RÉ-2', order_id: '1', day: '2026-03-04', total: '2.000001' },
        { refund_id: 'ré-6', order_id: '2', day: '2026-03-03', total: '4.50' },
        { refund_id: 'Ré-1', order_id: '1', day: '2026-03-02', total: '1.10' },
      ],
    });
    expect((await json(await find('%'))).refunds).to.deep.equal([]);
    const other = await service.shop();
    expect((await json(await find('r', '', other.id))).refunds).to.deep.equal([]);
  });

  it('are not looked for by no text, one too long, or over days that are none', async () => {
    for (const [q, days] of [
      ['', 'from=2026-03-01'],
      ['x'.repeat(256), ''],
    ] as const)
      expect(await refusalOf(await find(q, days)), q).to.equal('400 invalid_value');
    expect(await refusalOf(await find('a', 'from=2026-13-01'))).to.equal('400 invalid_range');
    expect(await refusalOf(await find('a', 'from=2024-01-01&to=2026-01-01'))).to.equal('400 range_too_long');
  });
});
