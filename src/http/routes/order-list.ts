import { LONGEST_CHANNEL } from '../../domain/costs/spend.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import { CUSTOMER_KINDS } from '../../domain/orders/customer-kinds.js';
import type { RequirePush } from '../../figures/freshness.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  LISTED_STATUSES,
  ORDER_SORTS,
  OrderListResponse,
  orderPlaceValidator,
  OrderSummary,
  type OrderPlace,
} from '../../schemas/order-reads.js';
import { DIRECTIONS } from '../../schemas/primitives.js';
import type { OrderFilter } from '../../warehouse/queries/order-filter.js';
import type { ListedOrder, OrderList } from '../../warehouse/queries/order-list.js';
import { toSummary, toTotals } from '../answers/order-answers.js';
import { boundsOf } from '../../figures/period.js';
import { nextOf, ofAnotherQuery, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { firstOf } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, cursor, flag, limit, oneOf, RANGE, text } from '../parameters.js';
import { trimmedFilter } from '../trimmed-filter.js';
import { defineRoute, type Route } from '../route.js';

export interface OrderListDeps {
  requirePush: RequirePush;
  sources: SourceRegistry;
  costSettings: CostSettingsRegistry;
  orderList: OrderList;
  sendExport: SendExport;
}

const REFUNDS = '12.50';
/** What the pushes of the examples before leave: an order with a refund, its tea costed by the catalog. */
export const LISTED_ORDER = {
  order_id: '1001',
  order_name: '#1001',
  placed_at: '2026-03-01T08:30:00.000000Z',
  day: '2026-03-01',
  status: 'paid',
  counted: true,
  revenue: '38.90',
  cogs: '7.10',
  gateway_fees: '0.82',
  profit: '18.48',
  taxes: '6.21',
  earnings: '12.27',
  cogs_complete: true,
  fee_source: 'actual',
  channel: 'unattributed',
  updated_at: '2026-03-04T14:00:00.000000Z',
  received_at: '2026-03-04T14:00:01.250000Z',
};
const { revenue, cogs, gateway_fees, profit, taxes, earnings } = LISTED_ORDER;

/** `GET /v1/orders` (contract: "Explaining figures"). */
export const orderListRoutes: readonly Route<OrderListDeps>[] = [
  defineRoute({
    id: 'listOrders',
    method: 'get',
    path: '/v1/orders',
    tag: 'Orders',
    scope: 'read',
    summary: 'List orders with their profit',
    description: `Orders placed on the days of the range, each with what it brings in the figures; \`totals\` are the sums over **all** orders that the filter finds, not those of the page alone. Over a range that holds all refunds of its orders, they equal the figures of \`/v1/metrics\` without advertising.

- An order is listed once its figures are computed, as in \`/v1/metrics\`: a moment after it was accepted, or with \`after\`. The \`count\` and the \`totals\` of a list without a filter are those of its days, which are stored just after their orders: without \`after\` an order may be listed that they do not have yet.
- An order that does not count has zeros for figures, and \`why_not\` says why. Deleted orders are listed with \`status=deleted\` alone.
- \`missing_cost=1\` lists the counted orders with a line that has no unit cost, neither its own nor one of the catalog: what to price first. \`loss=1\` lists those with a negative \`profit\`, which while costs are unknown is too high.
- \`sort\` and \`order\` put the worst first, or the best: \`sort=profit&order=asc\`. Orders of the same figure stand newest first.
- Send \`next\` as \`cursor\`, with the same parameters, for the next page. The range, the count and the totals stay those of the first page. Orders that arrive or leave meanwhile cause no gap and no repeat; one whose \`placed_at\`, or the figure sorted by, is changed is listed where it stands when its page is read.`,
    query: {
      range: RANGE,
      after: AFTER,
      status: oneOf(
        'status',
        LISTED_STATUSES,
        'Orders of this state alone; `deleted`: those that were deleted. Absent: all that were not.',
      ),
      counted: flag('counted', 'Orders that count in the figures (`1`), or that do not (`0`).'),
      sku: trimmedFilter('sku', 'Orders with a line of this SKU. Absent: all.'),
      channel: text(
        'channel',
        'Orders whose last touch is of this channel; `unattributed`: those without one. Absent: all.',
        LONGEST_CHANNEL,
      ),
      gateway: text('gateway', 'Orders of this payment gateway, in any case. Absent: all.'),
      country: trimmedFilter('country', 'Orders that went to this country. Absent: all.'),
      sales_channel: trimmedFilter('sales_channel', 'Orders of this sales channel, in any case. Absent: all.'),
      discount_code: trimmedFilter('discount_code', 'Orders with this discount code, in any case. Absent: all.'),
      tag: trimmedFilter('tag', 'Orders with this tag, in any case. Absent: all.'),
      campaign: trimmedFilter(
        'campaign',
        'Orders whose last touch is of this campaign, in any case; of deleted ones none is. Absent: all.',
      ),
      customer: text('customer_id', 'Orders of the customer with this id. Absent: all.'),
      customerKind: oneOf(
        'customer',
        CUSTOMER_KINDS,
        'Counted orders that are the first one of their customer in the shop (`new`), a later one (`returning`), or that came without a customer (`unknown`). Absent: all.',
      ),
      warned: flag('warned', 'Orders that carry a warning (`1`), or all others (`0`).'),
      missingCost: flag('missing_cost', 'Counted orders with a line of unknown cost (`1`), or all others (`0`).'),
      refunded: flag('refunded', 'Counted orders with refunds (`1`), or all others (`0`).'),
      loss: flag('loss', 'Counted orders with a negative `profit` (`1`), or all others (`0`).'),
      q: text('q', 'Orders whose `order_id` or `order_name` begins with this, in any case. Absent: all.'),
      sort: oneOf('sort', ORDER_SORTS, 'What the list is sorted by; `time` is `placed_at`. Absent: `time`.'),
      direction: oneOf(
        'order',
        DIRECTIONS,
        '`desc`: the newest or the largest first; `asc`: the oldest or the smallest. Absent: `desc`.',
      ),
      limit: limit('Orders'),
      cursor: cursor((given) => readRangeCursor(given, orderPlaceValidator)),
    },
    answers: { 200: { description: 'A page of orders.', schema: OrderListResponse, rows: 'order' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'week',
        summary: 'Orders of a week',
        query: { from: '2026-03-01', to: '2026-03-07', counted: '1' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          orders: [{ ...LISTED_ORDER, refunds: REFUNDS, refunded: REFUNDS }],
          count: 1,
          totals: {
            orders: 1,
            orders_without_cost: 0,
            orders_without_fee: 0,
            revenue,
            refunds: REFUNDS,
            cogs,
            gateway_fees,
            profit,
            taxes,
            fulfillment_costs: '0.00',
            earnings,
          },
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps) {
      const {
        range: asked,
        after,
        cursor: begin,
        limit: size,
        sort = 'time',
        direction = 'desc',
        ...conditions
      } = query;
      const id = queryId(shopId, req.query, begin);
      const place = begin?.place;
      // Only a list by time has no figure to go on from.
      if (place !== undefined && (place.value === '') !== (sort === 'time')) throw ofAnotherQuery();
      const range = rangeOf(asked, begin);
      // Who is new follows from all earlier days too.
      const days = query.customerKind === undefined ? range : { from: 0, to: range.to };
      await deps.requirePush(shopId, after, { range: days, credits: true });
      const [{ currency }, { rules }] = await Promise.all([
        deps.sources.require(shopId),
        deps.costSettings.find(shopId),
      ]);
      const filter = { ...conditions, shopId, range, rules };
      const list = { filter, sorting: { sort, direction }, after: undefined, limit: size };
      const toRow = (order: ListedOrder): OrderSummary => toSummary(order, rules);
      if (format !== null) {
        const pages = { written: deps.orderList.file(format, list) };
        return deps.sendExport(req, res, { format, name: 'orders', range, schema: OrderSummary, pages });
      }
      const behind = place && { value: place.value, day: place.day, placed_at: place.at, order_id: place.id };
      const [{ rows, last }, sums] = await Promise.all([
        firstOf((limit) => deps.orderList.orders({ ...list, after: behind, limit }), size),
        // They hold for all pages: summed up once, and carried by the cursor.
        place === undefined ? readSums(deps, filter) : { count: place.count, totals: place.totals },
      ]);
      const next: OrderPlace | undefined = last && {
        ...range,
        day: last.day,
        at: last.placed_at,
        id: last.order_id,
        value: last.value,
        ...sums,
      };
      return {
        ...boundsOf(range),
        currency,
        orders: rows.map(toRow),
        ...sums,
        ...nextOf(id, next),
      } satisfies OrderListResponse;
    },
  }),
];

async function readSums({ orderList }: OrderListDeps, filter: OrderFilter) {
  const totals = await orderList.totals(filter);
  return { count: totals.found, totals: toTotals(totals, filter.rules) };
}
