import { expect } from 'chai';
import { parseDay } from '../../src/domain/time.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import { createOrderList } from '../../src/warehouse/queries/order-list.js';

/**
 * The totals of lists without a filter, which come from sums of days, are those of their orders one by one: of the range and of each of
 * the days, all `YYYY-MM-DD`. A filter that every order passes has them added up from the orders.
 */
export async function checkDayTotals(
  warehouse: Warehouse,
  shopId: string,
  range: readonly [from: string, to: string],
  days: Iterable<string>,
): Promise<void> {
  const list = createOrderList(warehouse);
  for (const [from, to] of [range, ...Array.from(new Set(days), (day) => [day, day] as const)]) {
    const filter = { shopId, range: { from: parseDay(from) ?? 0, to: parseDay(to) ?? 0 }, rules: [] };
    const ofOrders = await list.totals({ ...filter, q: '' });
    expect(await list.totals(filter), `${shopId} ${from} ${to}`).to.deep.equal(ofOrders);
  }
}
