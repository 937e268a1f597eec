import type { ComponentChildren } from 'preact';
import type { OrderDetail } from '../../../schemas/order-detail.js';
import { asSent } from './as-sent.js';
import { Copy } from '../shared/copy.js';
import { formatMoment } from '../shared/days.js';
import { Copyable } from '../shared/dialog.js';
import { Panel } from '../shared/frame.js';

const SHOWN = 13;

/** The push that wrote the order as it is, and what the order says of itself. */
export function Origin({ order }: { order: OrderDetail }) {
  const { written } = order;
  return (
    <Panel title="Where this order comes from">
      <dl class="pairs">
        <Fact name="Order id">{order.order_id}</Fact>
        <Fact name="Changed in the shop">{formatMoment(order.updated_at)}</Fact>
        <Fact name="Arrived">{formatMoment(order.received_at)}</Fact>
        {written?.key_last4 != null && <Fact name="Key">ends in {written.key_last4}</Fact>}
        {written?.request_id != null && <Named name="Request" id={written.request_id} />}
        {written !== null && <Named name="Receipt" id={written.receipt} />}
        {order.customer !== undefined && <Fact name="Customer">{order.customer.id}</Fact>}
        {order.payment_gateway !== undefined && <Fact name="Paid through">{order.payment_gateway}</Fact>}
      </dl>
      <details>
        <summary>Show the order as JSON</summary>
        <p class="note">As it is stored, with costs that were sent apart. In this form it can be pushed again.</p>
        <Copyable text={JSON.stringify(asSent(order), null, 2)} label="The order as JSON" long />
      </details>
    </Panel>
  );
}

/** A long name of the API: its beginning, and all of it to copy. */
function Named({ name, id }: { name: string; id: string }) {
  return (
    <Fact name={name}>
      <span class="line">
        <code title={id}>{id.slice(0, SHOWN)}…</code> <Copy value={id} />
      </span>
    </Fact>
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
