import { LONGEST_CHANNEL } from '../../domain/costs/spend.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import type { RequirePush } from '../../repositories/freshness.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  LISTED_STATUSES,
  OrderListResponse,
  orderPlaceValidator,
  OrderSummary,
  type OrderPlace,
  type OrderTotals,
} from '../../schemas/order-reads.js';
import type { OrderFilter } from '../../warehouse/queries/order-filter.js';
import type { OrderKey, OrderList } from '../../warehouse/queries/order-list.js';
import { toSummary, toTotals } from '../answers/order-answers.js';
import { boundsOf } from '../answers/period.js';
import { nextOf, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { allPages, type Page } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, cursor, flag, limit, oneOf, RANGE, text } from '../parameters.js';
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
  cogs_complete: true,
  fee_source: 'actual',
  channel: 'unattributed',
  updated_at: '2026-03-04T14:00:00.000000Z',
  received_at: '2026-03-04T14:00:01.250000Z',
};
const { revenue, cogs, gateway_fees, profit } = LISTED_ORDER;

/** `GET /v1/orders` (contract: "Explaining figures"). */
export const orderListRoutes: readonly Route<OrderListDeps>[] = [
  defineRoute({
    id: 'listOrders',
    method: 'get',
    path: '/v1/orders',
    tag: 'Orders',
    scope: 'read',
    summary: 'List orders with their profit',
    description: `Orders placed on the days of the range, newest first, each with what it brings in the figures; \`totals\` are the sums over **all** orders that the filter finds, not those of the page alone. Over a range that holds all refunds of its orders, they equal the figures of \`/v1/metrics\` without advertising.

- An order that does not count has zeros for figures, and \`why_not\` says why. Deleted orders are listed with \`status=deleted\` alone.
- \`missing_cost=1\` lists the counted orders with a line that has no unit cost, neither its own nor one of the catalog: what to price first.
- Send \`next\` as \`cursor\`, with the same parameters, for the next page. The range and the totals stay those of the first page. Orders that arrive or leave meanwhile cause no gap and no repeat; one whose \`placed_at\` is changed is listed where it stands when its page is read.`,
    query: {
      range: RANGE,
      after: AFTER,
      status: oneOf(
        'status',
        LISTED_STATUSES,
        'Orders of this state alone; `deleted`: those that were deleted. Absent: all that were not.',
      ),
      counted: flag('counted', 'Orders that count in the figures (`1`), or that do not (`0`).'),
      sku: text('sku', 'Orders with a line of this SKU. Absent: all.'),
      channel: text(
        'channel',
        'Orders whose last touch is of this channel; `unattributed`: those without one. Absent: all.',
        LONGEST_CHANNEL,
      ),
      gateway: text('gateway', 'Orders of this payment gateway, in any case. Absent: all.'),
      missingCost: flag('missing_cost', 'Counted orders with a line of unknown cost (`1`), or all others (`0`).'),
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
          orders: [{ ...LISTED_ORDER, refunds: REFUNDS }],
          totals: { orders: 1, revenue, refunds: REFUNDS, cogs, gateway_fees, profit },
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps) {
      const { range: asked, after, cursor: begin, limit: size, ...conditions } = query;
      const id = queryId(shopId, req.query, begin);
      const place = begin?.place;
      const range = rangeOf(asked, begin);
      await deps.requirePush(shopId, after, { range, credits: true });
      const { currency } = await deps.sources.require(shopId);
      const filter = { ...conditions, shopId, range };
      if (format !== null) {
        const pages = allPages((key: OrderKey | undefined) => readPage(deps, filter, key, size));
        return deps.sendExport(req, res, { format, name: 'orders', range, schema: OrderSummary, pages });
      }
      const [{ rows, last }, totals] = await Promise.all([
        readPage(deps, filter, place && { day: place.day, placedAt: place.at, orderId: place.id }, size),
        // They hold for all pages: summed up once, and carried by the cursor.
        place?.totals ?? readTotals(deps, filter),
      ]);
      const next: OrderPlace | undefined = last && {
        ...range,
        day: last.day,
        at: last.placedAt,
        id: last.orderId,
        totals,
      };
      return {
        ...boundsOf(range),
        currency,
        orders: rows,
        totals,
        ...nextOf(id, next),
      } satisfies OrderListResponse;
    },
  }),
];

async function readPage(
  { costSettings, orderList }: OrderListDeps,
  filter: OrderFilter,
  after: OrderKey | undefined,
  limit: number,
): Promise<Page<OrderSummary, OrderKey>> {
  const [{ rules }, keys] = await Promise.all([
    costSettings.find(filter.shopId),
    orderList.keys(filter, after, limit + 1),
  ]);
  const orders = await orderList.orders(filter, keys.slice(0, limit));
  return {
    rows: orders.map((order) => toSummary(order, rules)),
    last: keys.length > limit ? keys[limit - 1] : undefined,
  };
}

async function readTotals({ costSettings, orderList }: OrderListDeps, filter: OrderFilter): Promise<OrderTotals> {
  const [{ rules }, totals] = await Promise.all([costSettings.find(filter.shopId), orderList.totals(filter)]);
  return toTotals(totals, rules);
}
