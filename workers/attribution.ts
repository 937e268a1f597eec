import { attribute, creditedTouches, UNATTRIBUTED_CHANNEL } from '../src/domain/attribution/attribution.js';
import { causeOf } from '../src/domain/attribution/losses.js';
import { byShop, type IdsByShop } from '../src/domain/by-shop.js';
import { visitsOf } from '../src/domain/attribution/order-visits.js';
import type { RebuildQueues, RebuildLane } from '../src/redis/rebuild-queues.js';
import type { DroppedNames } from '../src/redis/dropped-names.js';
import type { RebuildQueue } from '../src/redis/rebuild-queue.js';
import type { TakeStamps } from '../src/redis/stamps.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { writeCredits, type OrderCredit } from '../src/warehouse/queries/order-attribution.js';
import { readEvidence, type OrderEvidence } from '../src/warehouse/queries/order-evidence.js';
import { daysOfOrders } from '../src/warehouse/queries/settle-orders.js';
import { refreshFacts } from '../src/warehouse/queries/write-facts.js';
import { createClaimedLoop, type ClaimedWork } from './claimed.js';
import type { Loop } from './loop.js';

export interface AttributionLoopDeps extends Pick<ClaimedWork, 'shards' | 'onAway' | 'onFailed'> {
  attributionQueue: RebuildQueue;
  rebuildQueues: RebuildQueues;
  droppedNames: DroppedNames;
  takeStamps: TakeStamps;
}

/** Of one order. */
const MAX_TOUCHES_KEPT = 1_000;
/** Few enough for what made-up events may tie to each of them. */
const ORDERS_PER_TURN = 250;

/**
 * Computes the credit of orders whose events or whose own rows have changed, and queues their days for the rollups. The
 * orders are done last: after a crash everything is done again, with the same result. A credit is written under a stamp
 * taken before its events were read, so that of two computations the one that began later wins.
 */
export function createAttributionLoop({
  attributionQueue,
  rebuildQueues,
  droppedNames,
  takeStamps,
  ...rest
}: AttributionLoopDeps): Loop {
  return createClaimedLoop({
    ...rest,
    queue: attributionQueue,
    limit: () => ORDERS_PER_TURN,
    async work(claims, warehouse) {
      const version = await takeStamps();
      await creditOrders({ warehouse, rebuildQueues, droppedNames, takeStamps }, byShop(claims), {
        version,
        lane: 'fresh',
      });
      return true;
    },
  });
}

export interface CreditDeps extends Pick<AttributionLoopDeps, 'rebuildQueues' | 'droppedNames' | 'takeStamps'> {
  warehouse: Warehouse;
}

/** Computes the credit of orders and queues their days. `version` is a stamp taken before. */
export async function creditOrders(
  { warehouse, rebuildQueues, droppedNames, takeStamps }: CreditDeps,
  orders: IdsByShop,
  { version, lane }: { version: number; lane: RebuildLane },
): Promise<void> {
  const credits: OrderCredit[] = [];
  for await (const some of readEvidence(warehouse, orders)) credits.push(...some.map(toCredit));
  await nameDropped(droppedNames, credits);
  await writeCredits(warehouse, credits, version);
  await refreshFacts(warehouse, orders, takeStamps);
  await rebuildQueues.add(lane, await daysOfOrders(warehouse, orders), orders);
}

/** Of orders that no event names it may be known that one was dropped that did; of several the bot's. */
async function nameDropped(droppedNames: DroppedNames, credits: OrderCredit[]): Promise<void> {
  const unnamed = credits.filter(({ loss }) => loss === 'not_named');
  const dropped = await droppedNames.among(unnamed.map(({ shopId, orderId }) => ({ shopId, id: orderId })));
  const causes = new Map(dropped.toReversed().map(({ shopId, id, cause }) => [`${shopId}\n${id}`, cause]));
  for (const credit of unnamed) credit.loss = causes.get(`${credit.shopId}\n${credit.orderId}`) ?? 'not_named';
}

function toCredit(evidence: OrderEvidence): OrderCredit {
  const { shopId, orderId, placedDay } = evidence;
  const visits = visitsOf(evidence);
  const { touches, orderAt } = visits;
  const [last] = attribute(touches, orderAt, 'last_touch');
  const [first] = attribute(touches, orderAt, 'first_touch');
  if (last === undefined || first === undefined) throw new Error('every order has one share at least');
  return {
    shopId,
    orderId,
    placedDay,
    lastTouch: last,
    firstTouch: first,
    linear: attribute(touches, orderAt, 'linear'),
    path: creditedTouches(touches, orderAt).slice(-MAX_TOUCHES_KEPT),
    loss: last.channel === UNATTRIBUTED_CHANNEL ? causeOf(visits, evidence.visitors.length > 0) : null,
  };
}
