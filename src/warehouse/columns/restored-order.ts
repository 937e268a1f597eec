import { micros, OCCASION, type Occasion, type OrderInput } from '../../domain/orders/orders.js';
import { formatTimestamp, MICROS_PER_DAY } from '../../domain/time.js';
import { createOrderEncoder, type OrderRows } from './orders.js';
import type { StoredOrder } from './stored-order.js';

/**
 * The rows of `order_days` of stored orders, as the door encoded them: the same versions, and the days on which they stand in
 * `orders`, whatever became of the source's time zone.
 */
export function restoredOrderDays(
  shopId: string,
  orders: readonly StoredOrder[],
  occasionOf: (order: StoredOrder) => Occasion,
): Buffer {
  const encode = encoding(shopId);
  return Buffer.concat(
    orders.map(
      (order) =>
        encode(order, {
          days: daysOf(order),
          stamp: order.received_at,
          version: order.version,
          occasion: occasionOf(order),
        }).orderDays,
    ),
  );
}

/** A later version of an order, as deleted; `order` is absent where none is stored. */
export interface DeletedVersion {
  orderId: string;
  updatedAt: number;
  stamp: number;
  order: StoredOrder | undefined;
}

/** The rows of orders as deleted; those of an order that is not stored say no more than that. */
export function deletedOrders(shopId: string, deleted: readonly DeletedVersion[]): OrderRows {
  const encode = encoding(shopId);
  const rows = deleted.map(({ orderId, updatedAt, stamp, order }) => {
    const version = { updated_at: formatTimestamp(updatedAt), deleted: true };
    if (order !== undefined) return encode({ ...order, ...version }, { days: daysOf(order), stamp });
    const day = Math.floor(updatedAt / MICROS_PER_DAY);
    return encode(
      { ...emptyOrder(orderId, version.updated_at), ...version },
      { days: new Map([[updatedAt, day]]), stamp },
    );
  });
  return {
    orders: Buffer.concat(rows.map(({ orders }) => orders)),
    orderDays: Buffer.concat(rows.map(({ orderDays }) => orderDays)),
  };
}

function emptyOrder(orderId: string, placedAt: string): OrderInput {
  return { order_id: orderId, placed_at: placedAt, currency: '', status: 'voided', line_items: [], total: '0' };
}

type Encode = (
  order: OrderInput,
  at: { days: ReadonlyMap<number, number>; stamp: number; version?: number; occasion?: Occasion },
) => OrderRows;

/** Encodes orders one by one, on given days. */
function encoding(shopId: string): Encode {
  const encoder = createOrderEncoder();
  return (order, { days, stamp, version, occasion = OCCASION.known }) => {
    encoder.begin(shopId, (micros) => {
      const day = days.get(micros);
      if (day === undefined) throw new Error('an instant of the order has no day');
      return day;
    });
    encoder.add(order, version);
    const { orders, orderDays } = encoder.rows([true], stamp, () => occasion);
    return { orders: Buffer.from(orders), orderDays: Buffer.from(orderDays) }; // which the next order overwrites
  };
}

const daysOf = ({ placed_at, day, refunds }: StoredOrder): Map<number, number> =>
  new Map([
    [micros(placed_at), day],
    ...refunds.map((refund): [number, number] => [micros(refund.refunded_at), refund.day]),
  ]);
