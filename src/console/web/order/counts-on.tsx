import { linkTo, pathOf } from '../app/address.js';
import { rangeParams } from '../app/range.js';
import type { View } from '../app/view.js';
import type { OrderDetail } from '../../../schemas/order-detail.js';
import { Amount } from '../shared/amount.js';
import { formatDay } from '../shared/days.js';
import { Panel } from '../shared/frame.js';

/** The days on which the order counts, each with what it brings there. */
export function CountsOn({ order, view }: { order: OrderDetail; view: View }) {
  return (
    <Panel title="Counts on these days">
      {order.days.length === 0 && <p class="soft">On none.</p>}
      <dl class="pairs">
        {order.days.map(({ date, profit }) => (
          <>
            <dt>
              <a href={linkTo(view.address, pathOf(view.shop, 'overview'), rangeParams({ from: date, to: date }))}>
                {formatDay(date, { weekday: true })}
              </a>
            </dt>
            <dd>
              <Amount value={profit} currency={order.currency} />
            </dd>
          </>
        ))}
      </dl>
    </Panel>
  );
}
