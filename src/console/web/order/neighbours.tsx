import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import { listParams, listPath } from '../orders/list-params.js';
import type { OrderListResponse } from '../../../schemas/order-reads.js';
import { Icon } from '../shared/icon.js';
import { useRead } from '../shared/use-read.js';

/** Links to the orders before and after in the page of the list that led here. */
export function Neighbours({ view, id }: { view: View; id: string }) {
  const { data, loading } = useRead<OrderListResponse>(listPath(view));
  const orders = loading ? [] : (data?.orders ?? []);
  const at = orders.findIndex(({ order_id: order }) => order === id);
  const link = (step: -1 | 1) => {
    const label = step === -1 ? 'The order before in the list' : 'The next order in the list';
    const icon = <Icon name={step === -1 ? 'left' : 'right'} />;
    const order = at === -1 ? undefined : orders[at + step];
    return order === undefined ? (
      <button type="button" class="icon-button" disabled aria-label={label}>
        {icon}
      </button>
    ) : (
      <a
        class="button icon-button"
        href={linkTo(view.address, pathOf(view.shop, 'orders', order.order_id), listParams(view.address))}
        aria-label={label}
      >
        {icon}
      </a>
    );
  };
  return (
    <div class="group">
      {link(-1)}
      {link(1)}
    </div>
  );
}
