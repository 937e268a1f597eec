import { read, shopApi } from '../shared/api.js';
import { addDays, type Range } from '../shared/days.js';
import type { DailyAnswer } from '../shared/answers.js';

const EARLIEST = '2000-01-01';
const WINDOW_DAYS = 366;

/** The month of the newest day with orders, not after `until`; null where there never were any. */
export async function findLatestOrders(shop: string, until: string): Promise<Range | null> {
  for (let to = until; to >= EARLIEST; to = addDays(to, -WINDOW_DAYS)) {
    const range = `from=${addDays(to, 1 - WINDOW_DAYS)}&to=${to}`;
    const total = await read<{ orders: number }>(shopApi(shop, `/v1/metrics?${range}`));
    if (total.orders === 0) continue;
    const { days } = await read<DailyAnswer>(shopApi(shop, `/v1/metrics/daily?${range}`));
    const last = days.findLast(({ orders }) => orders > 0)?.date ?? to;
    return { from: `${last.slice(0, 8)}01`, to: last };
  }
  return null;
}
