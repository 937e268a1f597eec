import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import { channelName } from '../channels/names.js';
import type { OrderSummary } from '../../../schemas/order-reads.js';
import { Amount } from '../shared/amount.js';
import { formatMoment } from '../shared/days.js';
import { micros, negated } from '../shared/money.js';
import { isAtMost } from '../order/known.js';
import { listParams } from './list-params.js';

const WHY_NOT = { deleted: 'deleted', voided: 'voided', pending: 'not paid yet', test: 'a test' } as const;

/** An order in a list; leads to the order. */
export function OrderRow({ order, view }: { order: OrderSummary; view: View }) {
  const { currency } = view;
  const placed = formatMoment(order.placed_at, { near: view.to });
  return (
    <tr class={order.counted ? '' : 'out'}>
      <th scope="row">
        <a
          class="door"
          href={linkTo(view.address, pathOf(view.shop, 'orders', order.order_id), listParams(view.address))}
        >
          {order.order_name ?? order.order_id}
        </a>
        <span class="sub phone-only">{placed}</span>
        {order.why_not !== undefined && <span class="sub">does not count: {WHY_NOT[order.why_not]}</span>}
      </th>
      <td class="wide-only soft when">{placed}</td>
      <td class="opt soft">{channelName(order.channel)}</td>
      <td class="number wide-only">
        <Amount value={order.revenue} currency={currency} />
      </td>
      <td class="number wide-only">
        <Amount value={negated(order.refunded)} currency={currency} />
      </td>
      <td class="number opt">
        {order.cogs_complete || micros(order.cogs) !== 0n ? (
          <>
            {!order.cogs_complete && <span class="soft">not all known </span>}
            <Amount value={negated(order.cogs)} currency={currency} />
          </>
        ) : (
          <span class="soft">not known</span>
        )}
      </td>
      <td class="number opt">
        {order.fee_source === 'estimated' && (
          <span class="soft">
            <span aria-hidden="true">≈ </span>
            <span class="unseen">estimated </span>
          </span>
        )}
        {order.counted && order.fee_source === 'none' ? (
          <span class="soft">not known</span>
        ) : (
          <Amount value={negated(order.gateway_fees)} currency={currency} />
        )}
      </td>
      <td class="number">
        {isAtMost(order) && <span class="soft">at most </span>}
        <Amount value={order.profit} currency={currency} />
        <span class="sub phone-only">
          <Amount value={order.revenue} currency={currency} />
          {micros(order.refunded) !== 0n && (
            <>
              {' '}
              <Amount value={negated(order.refunded)} currency={currency} /> refunded
            </>
          )}
        </span>
      </td>
    </tr>
  );
}
