import { OCCASION } from '../../../src/domain/orders/orders.js';
import { idsIn } from './literals.js';
import { keyOf } from './replacing-table.js';
import type { Row } from './row-reader.js';
import type { Tables } from './tables.js';

const stampOf = ({ version }: Row): number => Number(BigInt.asUintN(64, BigInt(version as bigint | string)));

/** Of each stored order the earliest stamp, and those of versions that were written as known. */
export function arrivals({ orderKeys, ofOrder }: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, orderIds]) =>
    orderIds.flatMap((orderId) => {
      const rows = [...(ofOrder.get(keyOf(shopId, orderId)) ?? [])].flatMap((key) => orderKeys.rowsOf(key));
      if (rows.length === 0) return [];
      const known = rows.filter(({ occasion }) => occasion === OCCASION.known);
      const earliest = Math.min(...rows.map(stampOf));
      return [{ shop_id: shopId, order_id: orderId, earliest, known_at: [...new Set(known.map(stampOf))] }];
    }),
  );
}
