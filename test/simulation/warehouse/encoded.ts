import { enrichEvent } from '../../../src/domain/events/enrich.js';
import { STAMPS_OF_ORDER } from '../../../src/domain/orders/orders.js';
import { localDayIn } from '../../../src/domain/zones/local-day.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { createEventWriter, EVENT_HEAD } from '../../../src/warehouse/columns/events.js';
import { createOrderEncoder, ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../../src/warehouse/columns/orders.js';
import { RowBinaryWriter } from '../../../src/warehouse/columns/row-binary.js';
import { insertRows } from '../../../src/warehouse/insert-rows.js';
import { newEvent } from '../history/events.js';
import { newOrder } from '../history/items.js';
import { shopOf, type ItemOptions } from '../history/shops.js';
import { createRandom } from '../world/random.js';
import { START_MS } from '../world/scheduler.js';

export const FIRST_STAMP = START_MS * 1000;

type Write = (warehouse: Warehouse) => Promise<void>;

/** What random writes of a shop are made from, by a seed that no other shop has; `take` gives their stamps. */
export function randomShop(seed: number): { options: ItemOptions; take: (count: number) => number } {
  const random = createRandom(seed);
  const shop = { ...shopOf(random, 1), id: `shop-${seed}` };
  let tags = 0;
  let stamp = FIRST_STAMP;
  return {
    options: { random, shop, days: 3, orders: 4, newTag: () => ++tags },
    take: (count) => (stamp += count) - count,
  };
}

const some = ({ random }: ItemOptions): number[] => Array.from({ length: random.int(1, 3) });

/** Writes some orders of one shop as a worker does; `take` gives their stamps. */
export function orderWrite(options: ItemOptions, take: (count: number) => number): Write {
  const { shop } = options;
  const encoder = createOrderEncoder();
  encoder.begin(shop.id, localDayIn(shop.timezone));
  const items = some(options).map(() => newOrder(options));
  for (const { wire } of items) encoder.add(wire);
  const encoded = encoder.rows(
    items.map(() => true),
    take(STAMPS_OF_ORDER * items.length),
  );
  const [orders, ofDays] = [Buffer.from(encoded.orders), Buffer.from(encoded.orderDays)];
  return async (warehouse) => {
    await insertRows(warehouse, 'orders', [{ head: ORDERS_HEAD, rows: orders }]);
    await insertRows(warehouse, 'order_days', [{ head: ORDER_DAYS_HEAD, rows: ofDays }]);
  };
}

/** Writes some events of one shop; they arrived at different times. */
export function eventWrite(options: ItemOptions): Write {
  const { random, shop } = options;
  const writer = new RowBinaryWriter();
  const write = createEventWriter(writer);
  for (const { wire } of some(options).map(() => newEvent(options))) {
    const { row } = enrichEvent(wire, { receivedAtMs: START_MS });
    if (row !== undefined) write(shop.id, row, FIRST_STAMP + options.newTag() * 7 - random.int(0, 90));
  }
  const rows = Buffer.from(writer.bytes());
  return (warehouse) => insertRows(warehouse, 'events', [{ head: EVENT_HEAD, rows }]);
}
