import { expect } from 'chai';
import { OCCASION } from '../../../src/domain/orders/orders.js';
import { writeClockMoves } from '../../../src/warehouse/queries/clock-moves.js';
import { knownOrders, settleOrderDays } from '../../../src/warehouse/queries/settle-orders.js';
import { useService } from '../../support/service.js';

const UPDATED = 1n << 64n;

describe('settling the days of orders', () => {
  const service = useService({ workers: false });
  let shop: string;
  beforeEach(async () => {
    shop = (await service.shop()).id;
  });

  const write = (day: string, placed: string, version: bigint, refunds = '0', occasion: number = OCCASION.new) =>
    service.stores.warehouse.insert('order_days', [
      {
        shop_id: shop,
        order_id: 'o',
        day,
        placed_day: placed,
        version: String(version),
        is_deleted: 0,
        occasion,
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

  const causes = async (): Promise<Record<string, string[]>> => {
    const rows = await service.stores.warehouse.query<{ day: string; kinds: string[] }>(
      `SELECT toString(day) AS day, arraySort(groupUniqArray(toString(kind))) AS kinds FROM day_causes
       WHERE shop_id = {shop:String} GROUP BY day`,
      { shop },
    );
    return Object.fromEntries(rows.map(({ day, kinds }) => [day, kinds]));
  };

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

  it('says that a day was left because of the clock where the version that left it was written because of it', async () => {
    const { warehouse } = service.stores;
    const first = Date.now() * 1_000;
    const stamp = (n: number): bigint => BigInt(first + n);
    await writeClockMoves(warehouse, [{ shop_id: shop, first_stamp: first, last_stamp: first + 2 }]);
    await write('2026-03-01', '2026-03-01', 5n * UPDATED + stamp(-10));
    await write('2026-03-02', '2026-03-02', 5n * UPDATED + stamp(2), '0', OCCASION.clock);
    await settle();
    expect(await causes()).to.deep.equal({ '2026-03-01': ['clock', 'late_order'], '2026-03-02': ['clock'] });
    await write('2026-03-03', '2026-03-03', 6n * UPDATED + stamp(10), '0', OCCASION.known);
    await settle();
    expect(await causes()).to.deep.equal({
      '2026-03-01': ['clock', 'edited_order', 'late_order'],
      '2026-03-02': ['clock', 'edited_order'],
      '2026-03-03': ['edited_order'],
    });
  });

  it('knows an order by what was stored before its push, also once only the rows of that push are left', async () => {
    const { warehouse } = service.stores;
    const isKnown = async (stamp: number, first: number): Promise<boolean> =>
      (await knownOrders(warehouse, new Map([[shop, ['o']]])))(shop, 'o', stamp, first);
    expect(await isKnown(10, 10)).to.equal(false);
    await write('2026-03-01', '2026-03-01', 5n * UPDATED + 10n);
    expect(await isKnown(10, 10), 'its own row').to.equal(false);
    expect(await isKnown(24, 20)).to.equal(true);
    await write('2026-03-01', '2026-03-01', 6n * UPDATED + 24n, '0', OCCASION.known);
    await warehouse.command('OPTIMIZE TABLE order_keys FINAL');
    expect(await isKnown(24, 20), 'its own row in place of the other').to.equal(true);
    expect(await isKnown(20, 20), 'one of the same push').to.equal(false);
  });
});
