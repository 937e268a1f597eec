import { storedDays, rebuildRollups } from '../../src/warehouse/queries/rollups.js';
import { literal } from '../../src/warehouse/sql.js';
import type { BenchContext } from './context.js';

/** A day that holds exactly {@link BUSY_DAY_ORDERS} orders whatever the history around it. */
export const BUSY_DAY = '2025-06-16';
const BUSY_DAY_ORDERS = 2_000;
const FIRST_DAY = '2016-01-01';
const DAYS = 3_653;
/** Few enough that one insert ends well within the client's time for a request. */
const ORDERS_PER_INSERT = 500_000;
const REBUILD_DAYS = 200;
const ARTICLES = 2_000;

/**
 * Writes a history of orders straight into the warehouse: ten years, every order with 1 to 4 lines, one in sixteen partly
 * refunded the same day, a catalog of unit costs beside them, one day of fixed size, and all rollups. 10^7 orders take a minute or two.
 */
export async function writeHistory(
  { warehouse, takeStamps }: Pick<BenchContext, 'warehouse' | 'takeStamps'>,
  shopId: string,
  orders: number,
): Promise<void> {
  const shop = literal(shopId);
  await warehouse.command(`
    INSERT INTO product_costs (shop_id, sku, effective_from, unit_cost, currency, version, is_deleted)
    SELECT ${shop}, concat('SKU-', toString(number % ${ARTICLES})), toDate('1970-01-01') + 16800 * intDiv(number, ${ARTICLES}),
           toDecimal128(2 + number % 17, 6), 'GBP', 1, 0
    FROM numbers(${2 * ARTICLES})`);
  const day = `toDate('${FIRST_DAY}') + intDiv(number * ${DAYS}, ${orders})`;
  for (let from = 0; from < orders; from += ORDERS_PER_INSERT) {
    const numbers = `numbers(${from}, ${Math.min(ORDERS_PER_INSERT, orders - from)})`;
    await warehouse.command(
      insertDays(shop, `SELECT number, ${day} AS day FROM ${numbers} WHERE day != '${BUSY_DAY}'`),
    );
  }
  const busy = `SELECT number + ${orders} AS number, toDate('${BUSY_DAY}') AS day FROM numbers(${BUSY_DAY_ORDERS})`;
  await warehouse.command(insertDays(shop, busy));

  const days = await storedDays(warehouse, { shopId });
  for (let from = 0; from < days.length; from += REBUILD_DAYS) {
    await rebuildRollups(warehouse, days.slice(from, from + REBUILD_DAYS), await takeStamps());
  }
}

/** One row an order. `source` gives `number` and `day`. */
function insertDays(shop: string, source: string): string {
  const columns = `shop_id, day, order_id, version, is_deleted, placed_day, orders, revenue, refunds, gateway_fees,
    has_gateway_fee, has_tax, payment_gateway, lines.sku, lines.quantity, lines.unit_cost, lines.restock`;
  return `
    INSERT INTO order_days (${columns})
    WITH 1 + number % 4 AS lines
    SELECT ${shop}, day, toString(5000000000000 + number * 32768), toUInt128(1), 0, day, 1,
           toDecimal128(10 + number % 190, 6), toDecimal128(if(number % 16 = 0, 5, 0), 6), toDecimal128('0.35', 6), number % 5 != 0, 1, 'paypal',
           arrayMap(i -> concat('SKU-', toString(cityHash64(number, i) % ${ARTICLES})), range(lines)),
           arrayMap(i -> toDecimal128(1 + i % 2, 6), range(lines)),
           arrayMap(i -> CAST(NULL, 'Nullable(Decimal(38, 6))'), range(lines)),
           arrayMap(i -> false, range(lines))
    FROM (${source})`;
}
