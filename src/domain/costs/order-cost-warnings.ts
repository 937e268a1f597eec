import { echo } from '../../errors.js';

/** What is unlikely in an item that is taken all the same. */
export const ORDER_COST_WARNING_CODES = ['order_unknown', 'duplicate_order_id'] as const;
export interface OrderCostWarning {
  code: (typeof ORDER_COST_WARNING_CODES)[number];
  message: string;
  field: string;
}

/** What was found of the orders that a push names. */
export interface NamedOrders {
  /** By id or name as sent, the id of the order that is meant. */
  ids: ReadonlyMap<string, string>;
  unknown: ReadonlySet<string>;
}

/**
 * The warnings of each item of a push.
 *
 * @param orderIds of the items in order; undefined: it was rejected
 * @param named null: they could not be looked up
 */
export function orderCostWarnings(
  orderIds: readonly (string | undefined)[],
  named: NamedOrders | null,
): OrderCostWarning[][] {
  const places = new Map<string, number[]>();
  const meant = (id: string): string => named?.ids.get(id) ?? id;
  const placesOf = (id: string): number[] => places.get(meant(id)) ?? [];
  orderIds.forEach((id, i) => {
    if (id !== undefined) places.set(meant(id), [...placesOf(id), i]);
  });
  return orderIds.map((id): OrderCostWarning[] => {
    if (id === undefined) return [];
    const own = placesOf(id);
    return [...(own.length > 1 ? [repeated(id, own)] : []), ...(named?.unknown.has(id) === true ? [unknown(id)] : [])];
  });
}

function unknown(id: string): OrderCostWarning {
  const message = `No order has the id "${echo(id)}", nor is it the name of exactly one order. It is kept and counts once the order comes.`;
  return { code: 'order_unknown', message, field: 'order_id' };
}

/** Positions that a message names. */
const MAX_PLACES = 10;

function repeated(id: string, places: readonly number[]): OrderCostWarning {
  const named = places.slice(0, MAX_PLACES).map((place) => `costs[${place}]`);
  const list = places.length > MAX_PLACES ? `${named.join(', ')} and more` : named.join(' and ');
  const message = `The order "${echo(id)}" is sent ${places.length} times, in ${list}: of each cost the last one counts.`;
  return { code: 'duplicate_order_id', message, field: 'order_id' };
}
