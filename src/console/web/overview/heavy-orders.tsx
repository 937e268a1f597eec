import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import type { OrderListResponse, OrderSummary } from '../../../schemas/order-reads.js';
import { Amount } from '../shared/amount.js';
import { shopApi } from '../shared/api.js';
import { formatDay } from '../shared/days.js';
import { Answer } from '../shared/frame.js';
import { formatExactMoney } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';

const REASONS = [
  { figure: 'refunds', words: 'refunded of' },
  { figure: 'cogs', words: 'of product costs, for' },
  { figure: 'gateway_fees', words: 'of payment fees, for' },
] as const;

/** The orders with the highest losses, each with what took most. */
export function HeavyOrders({ view, shown }: { view: View; shown: number }) {
  const { shop, from, to, address, currency } = view;
  const query = `from=${from}&to=${to}&loss=1&sort=profit&order=asc&limit=${shown}`;
  const answer = useRead<OrderListResponse>(shopApi(shop, `/v1/orders?${query}`));
  return (
    <section class="panel flush" aria-labelledby="heavy">
      <div class="panel-head">
        <h2 id="heavy">What weighed most</h2>
        <a href={linkTo(address, pathOf(shop, 'orders'), { sort: 'profit', order: 'asc' })}>All orders</a>
      </div>
      <div class="few">
        <Answer of={answer} what="orders" rows={8}>
          {({ orders }) =>
            orders.length === 0 ? (
              <p class="soft">No order of these days made a loss.</p>
            ) : (
              <ul class="list">
                {orders.map((order) => (
                  <li key={order.order_id}>
                    <span>
                      <a class="door" href={linkTo(address, pathOf(shop, 'orders', order.order_id))}>
                        Order {order.order_name ?? order.order_id}
                      </a>
                      <span class="sub">{reasonOf(order, view)}</span>
                    </span>
                    <Amount value={order.profit} currency={currency} />
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      </div>
    </section>
  );
}

function reasonOf(order: OrderSummary, { to, currency }: View): string {
  const { figure, words } = REASONS.reduce((most, next) =>
    Number(order[next.figure]) > Number(order[most.figure]) ? next : most,
  );
  const [taken, paid] = [order[figure], order.revenue].map((amount) => formatExactMoney(amount, currency));
  return `${formatDay(order.day, { near: to })} · ${taken} ${words} ${paid}`;
}
