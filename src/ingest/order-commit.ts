import type { IngestHeader } from '../domain/ingest.js';
import type { ShardOf } from '../domain/shard-of.js';
import { jobKey, RESERVED_SCHEMA, type ClaimedOrders } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import { reservedHeader } from '../queue/reserved-job.js';
import { createReserveWithJob, type Reservation, type ReserveRequest } from '../redis/order-versions.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../warehouse/columns/orders.js';
import { openGroupCommit, type GroupCommit } from './group-commit.js';

/** A push of orders with the versions that it claims, in the order of its rows. */
export interface OrdersClaim extends ClaimedOrders {
  claim: Omit<ReserveRequest, 'jobKey' | 'dryRun'>;
}

export type OrderCommit = GroupCommit<OrdersClaim, Reservation>;

export interface OrderCommitOptions {
  producer: Pick<Producer, 'addBy'>;
  shardOf?: ShardOf;
  /** Learns what was queued. */
  onQueued?: (headers: readonly IngestHeader[]) => void;
}

/** Pushes of orders: their job is written together with their reservations, so that each is there with the other or not at all. */
export function createOrderCommit({ producer, shardOf, onQueued }: OrderCommitOptions): OrderCommit {
  const reserve = createReserveWithJob();
  return openGroupCommit<OrdersClaim, Reservation>({
    queue: 'orders',
    ...(shardOf && { shardOf }),
    heads: [ORDERS_HEAD, ORDER_DAYS_HEAD],
    async send(jobId, { pushes, rows }) {
      const requests = pushes.map(({ claim }) => ({ ...claim, jobKey: jobKey('orders', jobId), dryRun: false }));
      const job = { schema: RESERVED_SCHEMA, pushes: pushes.map(({ claim: _, ...push }) => push), rows };
      const made = await producer.addBy('orders', jobId, job, (redis, command) => reserve(redis, command, requests));
      onQueued?.(
        pushes.flatMap((push, i) => {
          const one = made[i];
          return one?.kind === 'reserved' ? [reservedHeader(push, [outcomesOf(one.accepted), one.stamp])] : [];
        }),
      );
      return (index) => {
        const one = made[index];
        if (one === undefined) throw new Error('a push of the job has no reservation');
        return one;
      };
    },
  });
}

const outcomesOf = (accepted: readonly boolean[]): string => accepted.map((one) => (one ? 'a' : 's')).join('');
