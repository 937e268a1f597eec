import type { View } from '../app/view.js';
import type { OrderListResponse } from '../../../schemas/order-reads.js';
import { Amount } from '../shared/amount.js';
import { formatCount, micros, negated } from '../shared/money.js';
import { SortHead } from '../shared/sort-head.js';
import { isProfitAtMost } from '../statement/verdict.js';
import { OrderRow } from './order-row.js';

/** Orders of a page below the sums of all; what an order costs has a minus, so that each row adds up by hand. */
export function OrderTable({ page, view }: { page: OrderListResponse; view: View }) {
  const { address, currency } = view;
  const { totals } = page;
  const head = (label: string, sort: string, extra = '') => (
    <SortHead address={address} label={label} sort={sort} usual="time" class={extra} isNumber={sort !== 'time'} />
  );
  const sum = (value: string, extra = '', word = '') => (
    <td class={`number ${extra}`}>
      {word !== '' && <span class="soft">{word} </span>}
      <Amount value={value} currency={currency} />
    </td>
  );
  const cost = (value: string, unknown: number) =>
    unknown > 0 && micros(value) === 0n ? (
      <td class="number opt soft">not known</td>
    ) : (
      sum(negated(value), 'opt', unknown > 0 ? 'not all known' : '')
    );
  const isAtMost = isProfitAtMost(totals);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Orders, table">
      <table class="list-table">
        <thead>
          <tr>
            <th scope="col">Order</th>
            {head('Placed', 'time', 'wide-only')}
            <th scope="col" class="opt">
              Channel
            </th>
            {head('Revenue', 'revenue', 'wide-only')}
            {head('Refunds', 'refunds', 'wide-only')}
            <th scope="col" class="number opt">
              Product costs
            </th>
            <th scope="col" class="number opt">
              Payment fees
            </th>
            {head('Profit before ads', 'profit')}
          </tr>
        </thead>
        <tbody>
          <tr class="total">
            <th scope="row">
              {formatCount(totals.orders)} {totals.orders === 1 ? 'order that counts' : 'orders that count'}
            </th>
            <td class="wide-only" />
            <td class="opt" />
            {sum(totals.revenue, 'wide-only')}
            {sum(negated(totals.refunds), 'wide-only')}
            {cost(totals.cogs, totals.orders_without_cost)}
            {cost(totals.gateway_fees, totals.orders_without_fee)}
            {sum(totals.profit, '', isAtMost ? 'at most' : '')}
          </tr>
          {page.orders.map((order) => (
            <OrderRow key={order.order_id} order={order} view={view} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
