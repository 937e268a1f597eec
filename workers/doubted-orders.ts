import { addIds, idLists } from '../src/domain/by-shop.js';
import { STAMPS_OF_ORDER } from '../src/domain/orders/orders.js';
import type { GroupJob, OrdersPush } from '../src/queue/jobs.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { knownOrders, type IsKnown } from '../src/warehouse/queries/settle-orders.js';
import { chunks } from '../src/warehouse/sql.js';

/** Ids of one look-up at most. */
const LOOK_UP_IDS = 10_000;

/**
 * The jobs with each doubt ended: whether an order is new is asked of the warehouse where the stale guard has forgotten others of its shop.
 * May be repeated: see `knownOrders`. No figure depends on it.
 */
export async function endDoubts(
  warehouse: Warehouse,
  jobs: readonly GroupJob<OrdersPush>[],
): Promise<readonly GroupJob<OrdersPush>[]> {
  const doubted = new Map<string, Set<string>>();
  for (const { header, doubted: own = [] } of jobs.flatMap(({ pushes }) => pushes))
    for (const [, id] of own) addIds(doubted, header.shop_id, [id]);
  if (doubted.size === 0) return jobs;
  const parts = await Promise.all([...chunks(idLists(doubted), LOOK_UP_IDS)].map((ids) => knownOrders(warehouse, ids)));
  const isKnown: IsKnown = (...of) => parts.some((part) => part(...of));
  return jobs.map((job) => ({ ...job, pushes: job.pushes.map((push) => withoutDoubts(push, isKnown)) }));
}

function withoutDoubts<Push extends GroupJob<OrdersPush>['pushes'][number]>(push: Push, isKnown: IsKnown): Push {
  const { header, reserved, doubted } = push;
  if (reserved === undefined || doubted === undefined) return push;
  const [outcomes, first] = reserved;
  const words = Array.from(outcomes);
  for (const [index, id] of doubted)
    words[index] = isKnown(header.shop_id, id, first + STAMPS_OF_ORDER * index, first) ? 'k' : 'n';
  return { ...push, reserved: [words.join(''), first] };
}
