import { expect } from 'chai';
import { settleOrderDays } from '../../../src/warehouse/queries/settle-orders.js';
import { useService } from '../../support/service.js';

const UPDATED = 1n << 64n;

describe('settling the days of orders', () => {
  const service = useService({ workers: false });
  let shop: string;
  before(async () => {
    shop = (await service.shop()).id;
  });

  const write = (day: string, placed: string, version: bigint, refunds: string): Promise<void> =>
    service.stores.warehouse.insert('order_days', [
      {
        shop_id: shop,
        order_id: 'o',
        day,
        placed_day: placed,
        version: String(version),
        is_deleted: 0,
        orders: day === placed ? 1 : 0,
        refunds,
      },
    ]);
  const settle = (): Promise<unknown> => settleOrderDays(service.stores.warehouse, new Map([[shop, ['o']]]));
  const days = (): Promise<object[]> =>
    service.stores.warehouse.query(
      `SELECT toString(day) AS day, toString(orders) AS orders, toString(refunds) AS refunds FROM order_days FINAL
       WHERE shop_id = {shop:String} ORDER BY order_days.day`,
      { shop },
    );

  it('keeps a row that is stored after a look at the half of its version, and outdates all of older ones', async () => {
    await write('2025-12-31', '2025-12-31', 5n * UPDATED + 10n, '0');
    // Its newest version moved to January, with a refund in December: two partitions, one after the other.
    await write('2026-01-02', '2026-01-02', 5n * UPDATED + 12n, '0');
    await settle();
    expect(await days()).to.deep.equal([{ day: '2026-01-02', orders: '1', refunds: '0' }]);
    await write('2025-12-31', '2026-01-02', 5n * UPDATED + 12n, '7');
    const whole = [
      { day: '2025-12-31', orders: '0', refunds: '7' },
      { day: '2026-01-02', orders: '1', refunds: '0' },
    ];
    expect(await days()).to.deep.equal(whole);
    await settle();
    expect(await days()).to.deep.equal(whole);
    // A repeat of the older version changes nothing, and neither does one that has left December.
    await write('2025-12-31', '2025-12-31', 5n * UPDATED + 10n, '0');
    await settle();
    expect(await days()).to.deep.equal(whole);
    await write('2026-01-02', '2026-01-02', 6n * UPDATED, '0');
    await settle();
    expect(await days()).to.deep.equal([{ day: '2026-01-02', orders: '1', refunds: '0' }]);
  });
});
