import type { Shop } from '../../../schemas/app.js';
import type { OrderListResponse } from '../../../schemas/order-reads.js';
import type { Push } from '../../../schemas/pushes.js';
import { pathOf } from '../app/address.js';
import { shopApi } from '../shared/api.js';
import { formatMoment, formatDay } from '../shared/days.js';
import { Copyable } from '../shared/dialog.js';
import { Answer } from '../shared/frame.js';
import { HeadlineAmount } from '../shared/headline-amount.js';
import { useRead } from '../shared/use-read.js';
import { commandsFor } from './commands.js';

/** The newest order once one has arrived, with its profit, and how a program reads that. */
export function FirstOrder({ shop, push }: { shop: Shop; push: Push }) {
  // The figures contain the push then.
  const loaded = useRead<OrderListResponse>(
    shopApi(shop.shop_id, `/v1/orders?limit=1&after=${encodeURIComponent(push.receipt)}`),
  );
  const order = loaded.data?.orders[0];
  const [command] = commandsFor({ key: '$PROFIT_KEY', scopes: ['read'] }, shop, location.origin, new Date());
  return (
    <>
      <span class="sub" role="status">
        Taken {formatMoment(push.at)}, with the key ending {push.key_last4}. From then on the shop’s figures are read
        from its orders.
      </span>
      <Answer of={loaded} what="the order">
        {() =>
          order === undefined ? (
            <p class="note">
              It is older than 30 days: choose its days on <a href={pathOf(shop.shop_id, 'overview')}>the overview</a>.
            </p>
          ) : (
            <div class="first-order">
              <HeadlineAmount value={order.profit} currency={shop.currency ?? ''} />
              <span class="soft">
                {order.cogs_complete ? '' : 'at most: what its products cost is not known. '}Profit before ads of order{' '}
                {order.order_name ?? order.order_id}, {formatDay(order.day)}
              </span>
              <a class="button" href={pathOf(shop.shop_id, 'orders', order.order_id)}>
                See the order
              </a>
            </div>
          )
        }
      </Answer>
      {command !== undefined && <Copyable text={command.text} label={command.title} long />}
    </>
  );
}
