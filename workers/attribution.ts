import { attribute, orderInstant } from '../src/domain/attribution.js';
import { touchesOf } from '../src/domain/sessions.js';
import type { DirtyDays } from '../src/state/dirty-days.js';
import type { DirtyOrders } from '../src/state/dirty-orders.js';
import type { TakeStamps } from '../src/state/stamps.js';
import type { Warehouse } from '../src/warehouse/client.js';
import {
  daysOfOrders,
  readEvidence,
  writeCredits,
  type OrderCredit,
  type OrderEvidence,
} from '../src/warehouse/order-attribution.js';
import type { Loop } from './loop.js';

export interface AttributionLoopDeps {
  warehouse: Warehouse;
  dirtyOrders: DirtyOrders;
  dirtyDays: DirtyDays;
  takeStamps: TakeStamps;
}

const ORDERS_PER_TURN = 1_000;

/**
 * Computes the credit of orders whose events or whose own rows have changed, and marks their days for the rollups. The
 * marks go last: after a crash everything is done again, with the same result. Several workers may do the same order at
 * once: a credit is written under a stamp taken before its events were read, so the one that began later wins.
 */
export function createAttributionLoop({ warehouse, dirtyOrders, dirtyDays, takeStamps }: AttributionLoopDeps): Loop {
  return async () => {
    const orders = await dirtyOrders.peek(ORDERS_PER_TURN);
    if (orders.length === 0) return false;
    const version = await takeStamps();
    const byShop = new Map<string, string[]>();
    for (const { shopId, orderId } of orders) byShop.set(shopId, [...(byShop.get(shopId) ?? []), orderId]);
    for (const [shopId, orderIds] of byShop) {
      const evidence = await readEvidence(warehouse, shopId, orderIds);
      await writeCredits(warehouse, shopId, evidence.map(toCredit), version);
      await dirtyDays.mark('fresh', shopId, await daysOfOrders(warehouse, shopId, orderIds));
    }
    await dirtyOrders.clear(orders);
    return true;
  };
}

function toCredit({ orderId, placedAt, placedDay, purchases, visitors }: OrderEvidence): OrderCredit {
  const touches = visitors.flatMap(touchesOf);
  const at = orderInstant(placedAt, purchases);
  const [last] = attribute(touches, at, 'last_touch');
  const [first] = attribute(touches, at, 'first_touch');
  if (last === undefined || first === undefined) throw new Error('every order has one share at least');
  return {
    orderId,
    placedDay,
    lastTouch: last.channel,
    firstTouch: first.channel,
    linear: attribute(touches, at, 'linear'),
  };
}
