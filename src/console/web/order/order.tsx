import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import type { OrderDetail } from '../../../schemas/order-detail.js';
import { shopApi } from '../shared/api.js';
import { Badge } from '../shared/badge.js';
import { Copy } from '../shared/copy.js';
import { formatMoment } from '../shared/days.js';
import { Answer } from '../shared/frame.js';
import { Icon } from '../shared/icon.js';
import { HeadlineAmount } from '../shared/headline-amount.js';
import { addMoney, formatExactMoney } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';
import { zoneName } from '../shared/zone.js';
import { listParams } from '../orders/list-params.js';
import { CountsOn } from './counts-on.js';
import { isAtMost } from './known.js';
import { Neighbours } from './neighbours.js';
import { Origin } from './origin.js';
import { OrderLines } from './order-lines.js';
import { OrderStatement } from './order-statement.js';
import { Visits } from './visits.js';
import { WARNINGS } from './warnings.js';

/** One order: why this profit, and where it comes from. */
export function Order({ view, id }: { view: View; id: string }) {
  const answer = useRead<OrderDetail>(shopApi(view.shop, `/v1/orders/${encodeURIComponent(id)}`));
  // The address is the one of the next order while the one before is still there.
  const loaded = { ...answer, data: answer.data?.order_id === id ? answer.data : null };
  const isUnknown = loaded.failure?.status === 404;
  return (
    <>
      <div class="head">
        <h1>
          <a class="crumb" href={linkTo(view.address, pathOf(view.shop, 'orders'), listParams(view.address))}>
            Orders
          </a>{' '}
          / {loaded.data?.order_name ?? id}
        </h1>
        <span class="row states">{loaded.data !== null && !isUnknown && <States order={loaded.data} />}</span>
        <Neighbours view={view} id={id} />
      </div>
      {isUnknown ? (
        <p class="empty" role="alert">
          This shop has no order “{id.slice(0, 64)}”.
        </p>
      ) : (
        <Answer of={loaded} what="order" rows={8}>
          {(order) => <Known order={order} view={view} />}
        </Answer>
      )}
    </>
  );
}

const STATES = { paid: 'Paid', pending: 'Not paid yet', voided: 'Voided' } as const;
const WHY_NOT = {
  deleted: 'was deleted',
  voided: 'was voided',
  pending: 'is not paid yet',
  test: 'is a test',
} as const;

function States({ order }: { order: OrderDetail }) {
  return (
    <>
      <Badge tone="calm">{STATES[order.status]}</Badge>
      {order.counted && order.profit.startsWith('-') && (
        <Badge tone="bad" icon="loss">
          Loss
        </Badge>
      )}
      {!order.counted && <Badge tone="warn">Does not count</Badge>}
    </>
  );
}

function refundsOf({ refunds, revenue, currency }: OrderDetail): string {
  const all = addMoney(...refunds.map(({ total }) => total));
  return `${formatExactMoney(all, currency)} of ${formatExactMoney(revenue, currency)}.`;
}

function Known({ order, view }: { order: OrderDetail; view: View }) {
  return (
    <div class="columns wide">
      <div class="stack">
        <section class="panel" aria-label="Profit of the order">
          <div class="row far">
            <h2 class="name">Profit of this order, before ads{isAtMost(order) ? ', at most' : ''}</h2>
            <span class="small soft">
              {formatMoment(order.placed_at)}, {zoneName(view.timezone)} time
            </span>
          </div>
          <div class="row">
            <span data-figure="profit">
              <HeadlineAmount value={order.profit} currency={order.currency} />
            </span>
            <Copy value={order.profit} />
          </div>
          {order.why_not !== undefined && (
            <p class="notice">This order {WHY_NOT[order.why_not]}, so it counts as nothing in every figure.</p>
          )}
          {order.warnings !== undefined && (
            <div class="notice">
              {order.warnings.map(({ code, message, field }) => (
                <p key={`${code} ${field}`}>
                  <Icon name="warn" /> <strong>{WARNINGS[code]}</strong>{' '}
                  <span class="soft">{code === 'refund_exceeds_total' ? refundsOf(order) : message}</span>
                </p>
              ))}
              <p>If that is wrong, correct it in the shop and send the order again.</p>
            </div>
          )}
          <OrderStatement order={order} view={view} />
        </section>
        <OrderLines order={order} view={view} />
      </div>
      <div class="stack">
        <CountsOn order={order} view={view} />
        <Visits order={order} />
        <Origin order={order} />
      </div>
    </div>
  );
}
