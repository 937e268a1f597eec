import type { Sender } from '../domain/ingest.js';
import { queueOutOfReach, unavailable } from '../errors.js';
import type { OrdersPush } from '../queue/jobs.js';
import type { OrderVersions } from '../redis/order-versions.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { SourceRegistry } from '../repositories/sources.js';
import type { NewestVersions } from '../warehouse/queries/settle-orders.js';
import { ingestHeader, newBatchId } from './batch.js';
import type { GroupCommit } from './group-commit.js';

export interface OrderDeletionDeps {
  sources: SourceRegistry;
  versions: OrderVersions;
  newestVersions: NewestVersions;
  commit: GroupCommit<OrdersPush>;
  takeStamps: TakeStamps;
  now: () => number;
}

/**
 * Deletes an order: puts a version after the newest one into the durable queue, and gives its receipt; null: there is no such
 * order. The worker writes the stored state again as deleted, so this needs no warehouse where Redis knows the order.
 * Throws `source_not_registered`, `queue_unavailable` and `store_unavailable`.
 */
export type DeleteOrder = (sender: Sender, orderId: string) => Promise<string | null>;

/** How often it is tried again because of a newer push, or because the source was edited meanwhile. */
const MAX_ATTEMPTS = 5;

export function createOrderDeletion({
  sources,
  versions,
  newestVersions,
  commit,
  takeStamps,
  now,
}: OrderDeletionDeps): DeleteOrder {
  const outOfReach = (error: unknown): never => {
    throw queueOutOfReach(error);
  };
  const findVersion = async (shopId: string, orderId: string): Promise<number | null> => {
    const known = await versions.find(shopId, orderId).catch(outOfReach);
    if (known !== undefined) return known;
    try {
      return (await newestVersions(shopId, [orderId])).get(orderId) ?? null;
    } catch (error) {
      const message =
        'The warehouse is out of reach, so whether there is such an order is not known. Send the request again.';
      throw unavailable('store_unavailable', message, error);
    }
  };

  return async (sender, orderId) => {
    const { shopId } = sender;
    const batchId = newBatchId(now());
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { revision: sourceRevision } = await sources.require(shopId, { fresh: attempt > 0 });
      const stored = await findVersion(shopId, orderId);
      if (stored === null) return null;
      // By the clock that orders writes, not by that of this process: a version ahead of time would hide what comes after it.
      const updatedAt = Math.max(await takeStamps().catch(outOfReach), stored + 1);
      const slot = commit.openSlot(shopId, { rows: 1, bytes: 0 });
      try {
        const reservation = await versions
          .reserve({
            shopId,
            batchId,
            jobKey: slot.jobKey,
            sourceRevision,
            nowMs: now(),
            dryRun: false,
            claims: [{ orderId, updatedAt, stored }],
          })
          .catch(outOfReach);
        if (reservation.kind !== 'reserved' || reservation.accepted[0] !== true) continue;
        const { stamp } = reservation;
        const push = { sender, kind: 'orders', batchId, nowMs: now() } as const;
        const header = { ...ingestHeader(push, [{ item: true, errors: [] }]), first_stamp: stamp, last_stamp: stamp };
        const deletions = [{ order_id: orderId, updated_at: updatedAt, stamp, replaces: stored }];
        await slot.commit({ header, order_ids: [orderId], checkouts: [], deletions }, [NO_ROWS, NO_ROWS]);
        return batchId;
      } catch (error) {
        await versions.release(batchId, now()).catch(() => undefined); // else the sweep ends it
        throw error;
      } finally {
        slot.release();
      }
    }
    throw unavailable('store_unavailable', 'The order was being written meanwhile; send the request again.');
  };
}

const NO_ROWS = Buffer.alloc(0);
