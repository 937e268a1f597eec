import { Type } from 'typebox';
import type { OrderInput } from '../../domain/orders/orders.js';
import { formatTimestamp } from '../../domain/time.js';
import { textOf, type Row } from '../query.js';
import { stampOf } from '../sql.js';
import { LINE, REFUND, RETURNED_LINE, STATE } from './orders.js';
import { decimalsOf, present, schemasOf, selectNested, selectOf } from './read-columns.js';

const TEXTS = Type.Array(Type.String());

/** The columns of an order's state. Amounts are plain decimals, instants microseconds; `version` is what the stale guard compares. */
export const ORDER_ROW = {
  ...schemasOf(STATE),
  status: textOf<OrderInput['status']>(),
  received_at: Type.Number(),
  discount_codes: TEXTS,
  tags: TEXTS,
  line_items: Type.Array(Type.Object(schemasOf(LINE))),
  refunds: Type.Array(Type.Object(schemasOf(REFUND))),
  refund_lines: Type.Array(Type.Object(schemasOf(RETURNED_LINE))),
};
export type OrderRow = Row<typeof ORDER_ROW>;

/** What an `OrderRow` has, of `orders AS o`. */
export const ORDER_COLUMNS = `${selectOf(STATE)}, toFloat64(${stampOf('o.version')}) AS received_at,
  o.discount_codes AS discount_codes, o.tags AS tags,
  ${selectNested('line_items', LINE)}, ${selectNested('refunds', REFUND)}, ${selectNested('refund_lines', RETURNED_LINE)}`;

/**
 * An order as it was sent, with its version, its arrival, and the days on which it and its refunds are. An empty text or list and an
 * absent one are stored as the same.
 */
export type StoredOrder = ReturnType<typeof toStoredOrder>;

export function toStoredOrder({ is_deleted, customer_id, placed_day: day, refund_lines, ...row }: OrderRow) {
  const { discount_codes, tags, line_items, refunds, ...fields } = row;
  const returned = new Map(refunds.map(({ refund_id }): [string, RefundLine[]] => [refund_id, []]));
  for (const { refund_id, ...line } of refund_lines) returned.get(refund_id)?.push(line);
  return {
    ...present({
      ...fields,
      placed_at: formatTimestamp(fields.placed_at),
      updated_at: formatTimestamp(fields.updated_at),
    }),
    day,
    deleted: is_deleted === 1,
    ...(customer_id !== null && { customer: { id: customer_id } }),
    ...(discount_codes.length > 0 && { discount_codes }),
    ...(tags.length > 0 && { tags }),
    line_items: line_items.map(present),
    refunds: refunds.map(({ refunded_day, ...refund }) => ({
      ...present({ ...refund, refunded_at: formatTimestamp(refund.refunded_at) }),
      day: refunded_day,
      line_items: returned.get(refund.refund_id) ?? [],
    })),
  } satisfies OrderInput & Record<string, unknown>;
}
type RefundLine = Omit<OrderRow['refund_lines'][number], 'refund_id'>;

const DECIMALS = new Set([STATE, LINE, REFUND, RETURNED_LINE].flatMap(decimalsOf));
/** Whether a field of an order, or of its lines and refunds, is an amount or a quantity. */
export const isDecimal = (field: string): boolean => DECIMALS.has(field);
