import { expect } from 'chai';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { runs } from '../support/runs.js';
import { useService } from '../support/service.js';
import { reconciling, storeOrder } from '../support/store-order.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are plain JSON, as any client reads them */

describe('reconciling a random store', function () {
  this.timeout(600_000);
  const service = useService();

  const { push, ask } = reconciling(service);
  const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
  const start = Date.UTC(2026, 2, 1);
  const micros = (value: number): string => `${Math.floor(value / 1e6)}.${String(value % 1e6).padStart(6, '0')}`;
  const plant = fc.constantFrom('none', 'none', 'missing_here', 'missing_there', 'total', 'refunds', 'version', 'both');
  const store = fc.record({
    zone: fc.constantFrom(...zones),
    orders: fc.array(
      fc.record({
        hours: fc.integer({ min: 0, max: 24 * 9 }),
        micros: fc.integer({ min: 1, max: 300_000_000 }),
        refundHours: fc.option(fc.integer({ min: 0, max: 24 * 12 })),
        plant,
      }),
      { minLength: 5, maxLength: 25 },
    ),
    dayPlants: fc.array(fc.constantFrom('none', 'none', 'orders', 'revenue', 'refunds'), {
      minLength: 24,
      maxLength: 24,
    }),
  });
  const at = (hours: number): string => new Date(start + hours * 3_600_000).toISOString();

  it('finds exactly the differences that were planted, of orders and of days', async () => {
    await fc.assert(
      fc.asyncProperty(store, async ({ zone, orders, dayPlants }) => {
        const shop = await service.shop({ timezone: zone });
        const own = orders.map(({ hours, micros: total, refundHours, plant: planted }, i) => ({
          planted,
          total,
          refund: refundHours === null ? 0 : Math.min(total, 1_500_001),
          order: storeOrder(`o-${i}`, at(hours), micros(total), {
            ...(refundHours !== null && {
              refunds: [{ refund_id: 'r', refunded_at: at(refundHours), total: micros(Math.min(total, 1_500_001)) }],
            }),
          }),
        }));
        const dayOf = (time: string): string => DateTime.fromISO(time, { zone }).toISODate() ?? '';

        const here = own.filter(({ planted }) => planted !== 'missing_here');
        if (here.length > 0)
          await push(
            shop,
            here.map(({ order }) => order),
          );
        const wanted: string[] = [];
        const list = own.flatMap(({ planted, total, refund, order }) => {
          if (planted === 'missing_here' || planted === 'missing_there') wanted.push(`${planted} ${order.order_id}`);
          if (planted === 'missing_there') return [];
          const isTotal = planted === 'total' || planted === 'both';
          const isVersion = planted === 'version' || planted === 'both';
          const isRefunds = planted === 'refunds';
          if (isRefunds) wanted.push(`refunds ${order.order_id}`);
          if (isTotal) wanted.push(`total ${order.order_id}`);
          if (isVersion) wanted.push(`version ${order.order_id}`);
          return {
            order_id: order.order_id,
            total: micros(isTotal ? total + 1 : total),
            refunded: micros(isRefunds ? refund + 1 : refund),
            updated_at: isVersion ? order.updated_at.replace('.000Z', '.000001Z') : order.updated_at,
          };
        });
        const days = Array.from({ length: 24 }, (_, i) =>
          new Date(start + (i - 2) * 86_400_000).toISOString().slice(0, 10),
        );
        const complete_for = { from: days[0], to: days.at(-1) };
        const found = await ask(shop, { orders: list, complete_for });
        expect(found.differences.map(({ kind, order_id }: any) => `${kind} ${order_id}`).sort()).to.deep.equal(
          wanted.sort(),
        );
        const differing = new Set(
          list.map(({ order_id }) => order_id).filter((id) => wanted.some((one) => one.endsWith(` ${id}`))),
        );
        expect(found.equal).to.equal(list.length - differing.size);

        const planted: string[] = [];
        const totals = days.map((date, i) => {
          const placed = here.filter(({ order }) => dayOf(order.placed_at) === date);
          const refunded = here.filter(({ order }) => order.refunds?.some((one) => dayOf(one.refunded_at) === date));
          const figure = dayPlants[i];
          const off = (name: string): number => (name === figure ? 1 : 0);
          if (figure !== 'none') planted.push(`${date} ${figure}`);
          return {
            date,
            orders: placed.length + off('orders'),
            revenue: micros(placed.reduce((sum, one) => sum + one.total, 0) + off('revenue')),
            refunds: micros(refunded.reduce((sum, one) => sum + one.refund, 0) + off('refunds')),
          };
        });
        const ofDays = await ask(shop, { days: totals });
        expect(ofDays.differences.map(({ date, figure }: any) => `${date} ${figure}`)).to.deep.equal(planted);
        expect(ofDays.equal).to.equal(days.length - planted.length);
      }),
      { numRuns: runs(6), endOnFailure: true },
    );
  });
});
