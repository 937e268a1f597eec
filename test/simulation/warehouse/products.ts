import { formatDay } from '../../../src/domain/time.js';
import { daysIn } from './facts.js';
import { keyOf } from './replacing-table.js';
import type { Row } from './row-reader.js';
import type { Tables } from './tables.js';

/** What is selected into `daily_products`: a row for each day that is asked for. */
export const PRODUCTS_OF_DAYS = 'products of days';

/** A row for each day whose products a statement of `day-products.ts` stores. */
export function productRequests(sql: string): Row[] {
  const [, stamp = ''] = /toUInt64\((\d+)\)/.exec(sql) ?? [];
  const [, doubted = ''] = /arrayJoin\(\[(.*)\]\) AS n/.exec(sql) ?? [];
  return daysIn(sql).map(({ shopId, day }) => ({
    shop_id: shopId,
    day,
    computed_at: Number(stamp),
    has_returns: sql.includes('refund_lines'),
    is_doubted: doubted.includes(`('${shopId}','${formatDay(day)}')`),
  }));
}

export function daysWithReturns(tables: Tables, sql: string): object[] {
  return daysIn(sql)
    .flatMap(({ shopId, day }) => [...(tables.ofDay.get(keyOf(shopId, day)) ?? [])])
    .flatMap((key) => tables.orderDays.rowsOf(key).filter((row) => (row['refund_lines.sku'] as string[]).length > 0))
    .slice(0, 1)
    .map(({ day }) => ({ day: formatDay(Number(day)) }));
}
