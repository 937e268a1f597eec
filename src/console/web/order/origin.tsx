import type { ComponentChildren } from 'preact';
import type { View } from '../app/view.js';
import type { OrderDetail } from '../../../schemas/order-detail.js';
import { formatShopMoment } from '../shared/days.js';
import { Panel } from '../shared/frame.js';

/** The push that wrote the order as it is, and what the order says of itself. */
export function Origin({ order, view }: { order: OrderDetail; view: View }) {
  const { written } = order;
  const moment = (at: string): string => formatShopMoment(at, view.timezone);
  return (
    <Panel title="Where this order comes from">
      <dl class="pairs">
        <Fact name="Order id">{order.order_id}</Fact>
        <Fact name="Changed in the shop">{moment(order.updated_at)}</Fact>
        <Fact name="Arrived">{moment(order.received_at)}</Fact>
        {written?.key_last4 != null && <Fact name="Key">ends in {written.key_last4}</Fact>}
        {written?.request_id != null && <Fact name="Request">{written.request_id}</Fact>}
        {written !== null && <Fact name="Receipt">{written.receipt}</Fact>}
        {order.customer !== undefined && <Fact name="Customer">{order.customer.id}</Fact>}
        {order.payment_gateway !== undefined && <Fact name="Paid through">{order.payment_gateway}</Fact>}
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
