import { countWarnings, type IngestHeader } from '../domain/ingest.js';
import { STAMPS_OF_ORDER } from '../domain/orders/orders.js';
import type { ClaimedOrders, JobPush, OrdersPush, Reserved } from './jobs.js';

export const isAccepted = (outcomes: string, index: number): boolean => (outcomes[index] ?? 's') !== 's';

/** The log entry of a push, once it is known what came of its orders. */
export function reservedHeader({ header, warnings }: ClaimedOrders, [outcomes, stamp]: Reserved): IngestHeader {
  const superseded = outcomes.split('s').length - 1;
  const accepted = outcomes.length - superseded;
  const warned = warnings.flatMap(([index, code]) => (isAccepted(outcomes, index) ? [[{ code }]] : []));
  return {
    ...header,
    accepted,
    superseded,
    errors: [...header.errors, ...countWarnings(warned)],
    // Order `i` has the stamp `first + STAMPS_OF_ORDER * i`.
    ...(accepted > 0 && { first_stamp: stamp, last_stamp: stamp + STAMPS_OF_ORDER * (outcomes.length - 1) }),
  };
}

/** The push with what came of its orders. */
export function reservedPush(push: ClaimedOrders & JobPush, reserved: Reserved): OrdersPush & JobPush {
  const { checkouts, bytes } = push;
  const taken = push.order_ids.filter((_, index) => isAccepted(reserved[0], index));
  const doubted = push.order_ids.flatMap((id, index): [number, string][] =>
    reserved[0][index] === 'a' ? [[index, id]] : [],
  );
  return {
    header: reservedHeader(push, reserved),
    order_ids: [...new Set(taken)],
    checkouts,
    bytes,
    reserved,
    ...(doubted.length > 0 && { doubted }),
  };
}
