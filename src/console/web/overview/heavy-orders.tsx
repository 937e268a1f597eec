import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import type { OrderListResponse, OrderSummary } from '../../../schemas/order-reads.js';
import { Amount } from '../shared/amount.js';
import { shopApi } from '../shared/api.js';
import { formatDay } from '../shared/days.js';
import { Answer } from '../shared/frame.js';
import { formatExactMoney, negated } from '../shared/money.js';
import { useRead, type Loaded } from '../shared/use-read.js';

const REASONS = [
  { figure: 'refunds', words: 'refunded of' },
  { figure: 'cogs', words: 'of product costs, for' },
  { figure: 'gateway_fees', words: 'of payment fees, for' },
] as const;

/** What is shown where there is none of the one before: losses, what was refunded, the orders that left least. */
const LISTS = [
  { query: 'loss=1&sort=profit&order=asc', all: { sort: 'profit', order: 'asc' } },
  { query: 'refunded=1&sort=refunds', all: { sort: 'refunds', refunded: '1' } },
  { query: 'counted=1&sort=profit&order=asc', all: { sort: 'profit', order: 'asc' } },
] as const;

/** The orders with the highest losses, each with what took most; without a loss the largest refunds, then the lowest margins. */
export function HeavyOrders({ view, shown }: { view: View; shown: number }) {
  const { shop, from, to, address, currency } = view;
  const pathOfList = ({ query }: (typeof LISTS)[number]): string =>
    shopApi(shop, `/v1/orders?from=${from}&to=${to}&${query}&limit=${shown}`);
  const losses = useRead<OrderListResponse>(pathOfList(LISTS[0]));
  const refunds = useRead<OrderListResponse>(isNone(losses) ? pathOfList(LISTS[1]) : null);
  const least = useRead<OrderListResponse>(isNone(losses) && isNone(refunds) ? pathOfList(LISTS[2]) : null);
  const place = !isNone(losses) ? 0 : !isNone(refunds) ? 1 : 2;
  const answer = [losses, refunds, least][place] ?? losses;
  const list = LISTS[place];
  return (
    <section class="panel flush" aria-labelledby="heavy">
      <div class="panel-head">
        <h2 id="heavy">What weighed most</h2>
        <a href={linkTo(address, pathOf(shop, 'orders'), list.all)}>All orders</a>
      </div>
      <div class="few">
        <Answer of={answer} what="orders" rows={8}>
          {({ orders }) =>
            orders.length === 0 ? (
              <p class="soft">No order of these days counts.</p>
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
                    <Amount value={place === 1 ? negated(order.refunds) : order.profit} currency={currency} />
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

const isNone = ({ data }: Loaded<OrderListResponse>): boolean => data?.orders.length === 0;

function reasonOf(order: OrderSummary, { to, currency }: View): string {
  const { figure, words } = REASONS.reduce((most, next) =>
    Number(order[next.figure]) > Number(order[most.figure]) ? next : most,
  );
  const [taken, paid] = [order[figure], order.revenue].map((amount) => formatExactMoney(amount, currency));
  return `${formatDay(order.day, { near: to })} · ${taken} ${words} ${paid}`;
}
