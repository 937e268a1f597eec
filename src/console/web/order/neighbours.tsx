import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import { listParams, listPath } from '../orders/list-params.js';
import type { OrderListResponse } from '../../../schemas/order-reads.js';
import { Icon } from '../shared/icon.js';
import { nextPage } from '../shared/pager.js';
import { useRead } from '../shared/use-read.js';
import { orderBefore } from './order-before.js';

/** Links to the orders before and after in the list that led here; behind the last of a page, to the first of the next one. */
export function Neighbours({ view, id }: { view: View; id: string }) {
  const { shop, address } = view;
  const here = listParams(address);
  const { data, loading } = useRead<OrderListResponse>(listPath(view));
  const orders = loading ? [] : (data?.orders ?? []);
  const at = orders.findIndex(({ order_id: order }) => order === id);
  const next = at !== -1 && at === orders.length - 1 ? data?.next : undefined;
  const after = next === undefined ? here : { ...here, ...nextPage(address, next) };
  const beyond = useRead<OrderListResponse>(next === undefined ? null : listPath(view, after));
  const following = next === undefined ? orders[at + 1] : beyond.loading ? undefined : beyond.data?.orders[0];
  const hrefOf = (order: { order_id: string } | undefined, list: typeof here): string | null =>
    at === -1 || order === undefined ? null : linkTo(address, pathOf(shop, 'orders', order.order_id), list);
  return (
    <div class="group">
      <Arrow
        icon="left"
        label="The order before in the list"
        href={at === 0 ? orderBefore(view) : hrefOf(orders[at - 1], here)}
      />
      <Arrow icon="right" label="The next order in the list" href={hrefOf(following, after)} />
    </div>
  );
}

function Arrow({ icon, label, href }: { icon: 'left' | 'right'; label: string; href: string | null }) {
  return href === null ? (
    <button type="button" class="icon-button" disabled aria-label={label}>
      <Icon name={icon} />
    </button>
  ) : (
    <a class="button icon-button" href={href} aria-label={label}>
      <Icon name={icon} />
    </a>
  );
}
