import { Type } from 'typebox';
import { cutClock } from '../../domain/zones/clock.js';
import { clockOf } from '../../domain/zones/database.js';
import { EARLIEST_MICROS, FIRST_DAY, LAST_DAY, parseDay } from '../../domain/time.js';
import { localDayIn } from '../../domain/zones/local-day.js';
import type { Warehouse } from '../client.js';
import { literal, microsOf } from '../sql.js';
import { defineQuery, texts, type RowOf } from '../query.js';

/** The stamps of a push that writes orders again because of their clock. */
export interface ClockMove {
  shop_id: string;
  first_stamp: number;
  last_stamp: number;
}

export async function writeClockMoves(warehouse: Warehouse, moves: readonly ClockMove[]): Promise<void> {
  if (moves.length > 0) await warehouse.insert('clock_moves', moves);
}

/** Where a list of orders goes on: after this one. */
export interface MisdatedPlace {
  day: string;
  orderId: string;
}

export interface MisdatedQuery {
  shopId: string;
  /** Of the shop. */
  timezone: string;
  /** Days on which the orders are stored as placed, `YYYY-MM-DD`, inclusive. */
  from?: string;
  to?: string;
  after?: MisdatedPlace;
  limit: number;
}

/** An order whose stored day, or that of one of its refunds, is another one than its time zone gives now. Days are day numbers. */
export interface MisdatedOrder extends MisdatedPlace {
  stored: number;
  now: number;
  total: string;
  /** It counts in the figures. */
  isCounted: boolean;
  /** Those of its refunds whose days differ. */
  refunds: { refundId: string; total: string; stored: number; now: number }[];
}

const TEXT = Type.String();
const MISDATED = defineQuery('orders on days of another clock', {
  ...texts('orderId', 'day', 'total'),
  placedAt: Type.Number(),
  isCounted: Type.Boolean(),
  refunds: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, TEXT])),
});

/** Whether the stored day differs; instants of orders are of 2000 and later, so that no division rounds towards zero. */
const differs = (at: string, day: string): string =>
  `intDiv(intDiv(toUnixTimestamp64Micro(${at}), 1000000) + transform(roundDown(
     intDiv(toUnixTimestamp64Micro(${at}), 1000000), {clockStarts:Array(Int64)}), {clockStarts:Array(Int64)}, {clockOffsets:Array(Int32)}, toInt32(0)
   ), 86400) != toUInt16(${day})`;

const SECOND_MICROS = 1_000_000;
const LAST_SECOND = Date.UTC(2300, 0, 1) / 1_000;

/** The whole clock of the instants that orders may have. */
function orderClock(timezone: string): { clockStarts: number[]; clockOffsets: number[] } {
  const { starts, offsets } = cutClock(clockOf(timezone), EARLIEST_MICROS / SECOND_MICROS, LAST_SECOND);
  return { clockStarts: [0, ...starts.slice(1)], clockOffsets: [...offsets] };
}

/**
 * A page of the orders of a shop whose days are not those of the release of the time zones in this process, by stored day and id.
 * Deleted orders are left out: they are on no day. Throws a RangeError for a zone that is unknown.
 */
export async function findMisdated(
  warehouse: Warehouse,
  { shopId, timezone, from = FIRST_DAY, to = LAST_DAY, after = { day: FIRST_DAY, orderId: '' }, limit }: MisdatedQuery,
): Promise<MisdatedOrder[]> {
  const rows = await warehouse.ask(
    MISDATED(
      `SELECT o.order_id AS orderId, toString(o.placed_day) AS day, o.total AS total, ${microsOf('o.placed_at')} AS placedAt,
         o.status = 'paid' AND NOT o.is_test AS isCounted,
         arrayMap((id, at, day, total) -> (id, toString(toUnixTimestamp64Micro(at)), toString(day), toString(total)),
           o.refunds.refund_id, o.refunds.refunded_at, o.refunds.refunded_day, o.refunds.total) AS refunds
       FROM orders AS o FINAL
       WHERE o.shop_id = {shop:String} AND o.placed_day BETWEEN greatest({from:Date}, {afterDay:Date}) AND {to:Date}
         AND (o.placed_day > {afterDay:Date} OR o.order_id > {afterId:String})
         AND (${differs('o.placed_at', 'o.placed_day')}
           OR arrayExists((at, day) -> ${differs('at', 'day')}, o.refunds.refunded_at, o.refunds.refunded_day))
       ORDER BY o.placed_day, o.order_id LIMIT {limit:UInt32}`,
      {
        shop: shopId,
        from,
        to,
        afterDay: after.day,
        afterId: after.orderId,
        limit,
        ...orderClock(timezone),
      },
    ),
  );
  return rows.map((row) => toMisdated(row, localDayIn(timezone)));
}

function toMisdated(row: RowOf<typeof MISDATED>, localDay: (micros: number) => number): MisdatedOrder {
  const { orderId, day, total, isCounted, placedAt, refunds } = row;
  const dated = refunds.map(([refundId, at, stored, amount]) => ({
    refundId,
    total: amount,
    stored: parseDay(stored) ?? 0,
    now: localDay(Number(at)),
  }));
  return {
    orderId,
    day,
    total,
    isCounted,
    stored: parseDay(day) ?? 0,
    now: localDay(placedAt),
    refunds: dated.filter(({ stored, now }) => stored !== now),
  };
}

/**
 * Gives orders on the days to which they are about to move the credit that they have. Its events may have expired, and then it is
 * computed no more. Until they move, nothing reads it there. Harmless to repeat.
 */
export async function copyCredits(
  warehouse: Warehouse,
  shopId: string,
  moves: readonly { orderId: string; from: string; to: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  const list = moves.map(({ orderId, from, to }) => `(${[orderId, from, to].map(literal).join(',')})`).join(',');
  await warehouse.run({
    name: 'credit of orders that move',
    sql: `INSERT INTO order_attribution
     SELECT a.* REPLACE (toDate(m.to) AS placed_day) FROM order_attribution AS a FINAL
     INNER JOIN (SELECT move.1 AS order_id, toDate(move.2) AS day, move.3 AS to FROM (SELECT arrayJoin([${list}]) AS move)) AS m
       ON a.order_id = m.order_id AND a.placed_day = m.day
     WHERE a.shop_id = {shop:String} AND (a.placed_day, a.order_id) IN (
       SELECT toDate(move.2), move.1 FROM (SELECT arrayJoin([${list}]) AS move))`,
    params: { shop: shopId },
  });
}
