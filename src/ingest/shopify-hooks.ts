import { fieldsOf, isFields } from '../domain/fields.js';
import type { Sender } from '../domain/ingest.js';
import { hookVersion, type HookOutcome } from '../domain/shopify-hooks.js';
import { parseTimestamp } from '../domain/time.js';
import { itemsOfValues } from '../body/items.js';
import { parseAnyNames } from '../body/json-text.js';
import type { Yielder } from '../body/yielding.js';
import type { SourceRegistry } from '../repositories/sources.js';
import type { DeleteOrder } from './order-deletion.js';
import type { TakeOrders } from './orders.js';

/** A signed body with the headers that are not signed. */
interface SentHook {
  bytes: Buffer;
  topic: string;
  triggeredAt: string;
}

/**
 * Puts what a hook of Shopify brings into the durable queue. Only its body is signed, so that decides: a deletion has nothing but `id`, and
 * the version of an order is its own, whatever else is said of it.
 */
export type TakeShopifyHook = (sender: Sender, hook: SentHook, yielder: Yielder) => Promise<HookOutcome>;

interface ShopifyHookIntakeDeps {
  takeOrders: TakeOrders;
  deleteOrder: DeleteOrder;
  sources: Pick<SourceRegistry, 'require'>;
  now: () => number;
}

const DELETED = 'orders/delete';

export function createShopifyHookIntake(deps: ShopifyHookIntakeDeps): TakeShopifyHook {
  const { takeOrders, deleteOrder, sources, now } = deps;

  const remove = async (sender: Sender, orderId: string, yielder: Yielder): Promise<HookOutcome> => {
    if ((await deleteOrder(sender, orderId)) !== null) return 'accepted';
    // The hooks of the order itself may come later, and must not bring it back.
    const { currency } = await sources.require(sender.shopId);
    const { results } = await takeOrders(sender, itemsOfValues([deletedOrder(orderId, currency, now())]), {
      validateOnly: false,
      yielder,
    });
    return results[0]?.outcome ?? 'rejected';
  };

  return async (sender, { bytes, topic, triggeredAt }, yielder) => {
    const value = await parseAnyNames(bytes, yielder);
    const order = fieldsOf(value);
    // An order follows by `orders/updated` where it was edited or refunded.
    if (!topic.startsWith('orders/') || isFields(order.order_edit)) return 'ignored';
    const id = topic === DELETED ? deletedId(order) : null;
    if (id !== null) return remove(sender, id, yielder);
    const triggeredMicros = parseTimestamp(triggeredAt);
    const { results } = await takeOrders(sender, itemsOfValues([value]), {
      validateOnly: false,
      yielder,
      platform: 'shopify',
      versionOf: (one) => hookVersion(one, triggeredMicros),
    });
    return results[0]?.outcome ?? 'rejected';
  };
}

/** The id in a body of nothing else, where Shopify can have made it: a whole number. Orders that came by the API may have any other. */
function deletedId(order: Record<string, unknown>): string | null {
  const isAlone = Object.keys(order).length === 1;
  return isAlone && Number.isSafeInteger(order.id) && Number(order.id) > 0 ? String(order.id) : null;
}

/** An order of which nothing but its deletion is known. */
function deletedOrder(orderId: string, currency: string, nowMs: number) {
  const at = new Date(nowMs).toISOString();
  return {
    order_id: orderId,
    placed_at: at,
    updated_at: at,
    currency,
    status: 'voided',
    line_items: [{ line_id: 'deleted', quantity: '1', unit_price: '0' }],
    total: '0',
    deleted: true,
  };
}
