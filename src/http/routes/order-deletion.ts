import type { DeleteOrder } from '../../ingest/order-deletion.js';
import { echo, requestError } from '../../errors.js';
import { Id } from '../../schemas/primitives.js';
import { defineRoute, type Route } from '../route.js';

export interface OrderDeletionDeps {
  deleteOrder: DeleteOrder;
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
}

/** `DELETE /v1/orders/{order_id}` (contract, third part: "Orders"). */
export const orderDeletionRoutes: readonly Route<OrderDeletionDeps>[] = [
  defineRoute({
    id: 'deleteOrder',
    method: 'delete',
    path: '/v1/orders/{order_id}',
    tag: 'Orders',
    scope: 'orders:write',
    summary: 'Delete an order',
    description:
      'The order no longer counts on any day. It is the same as to push it again with `deleted`: its version ' +
      'is the later of now and the microsecond after the stored one, so an older push is superseded, and a push with a newer ' +
      '`updated_at` brings the order back. Deleting it again is answered the same.',
    params: { order_id: { description: 'Natural key of the order.', schema: Id } },
    answers: { 204: { description: 'The deletion is in the durable queue.', headers: ['Receipt'] } },
    errors: ['not_found', 'source_not_registered', 'queue_unavailable', 'store_unavailable'],
    examples: [{ name: 'delete', summary: 'It is deleted', path: { order_id: '1001' }, status: 204 }],
    async run({ req, res, sender }, { deleteOrder, requireCapacity }) {
      requireCapacity();
      const orderId = String(req.params.order_id);
      const receipt = await deleteOrder(sender, orderId);
      if (receipt === null) throw requestError('not_found', `There is no order ${echo(orderId)}.`);
      res.setHeader('Receipt', receipt);
    },
  }),
];
