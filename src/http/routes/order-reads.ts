import type { Router } from 'express';
import { LONGEST_CHANNEL } from '../../domain/costs/spend.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { echo, requestError } from '../../errors.js';
import {
  LISTED_STATUSES,
  orderPlaceValidator,
  OrderSummary,
  type OrderListResponse,
  type OrderPlace,
  type OrderTotals,
} from '../../schemas/order-reads.js';
import type { OrderFilter } from '../../warehouse/queries/order-filter.js';
import type { OrderKey } from '../../warehouse/queries/order-list.js';
import { nextOf, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { formatOf } from '../exports/format.js';
import { allPages, pageOf } from '../exports/pages.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery, type Query } from '../middleware/query.js';
import { toDetail } from '../answers/order-detail-answer.js';
import { boundsOf } from '../answers/period.js';
import { toSummary, toTotals } from '../answers/order-answers.js';
import type { RouteDeps } from '../route-deps.js';

/** An order is made of rows, and of nothing that is summed up by day. */
const NO_DAYS: DayRange = { from: 0, to: -1 };

/** `GET /v1/orders` and `/v1/orders/{order_id}` (contract: "Explaining figures"). */
export function orderReadRoutes(router: Router, deps: RouteDeps): void {
  const readPage = async (filter: OrderFilter, after: OrderKey | undefined, limit: number) => {
    const [{ rules }, keys] = await Promise.all([
      deps.costSettings.find(filter.shopId),
      deps.orderList.keys(filter, after, limit + 1),
    ]);
    const orders = await deps.orderList.orders(filter, keys.slice(0, limit));
    return {
      rows: orders.map((order) => toSummary(order, rules)),
      last: keys.length > limit ? keys[limit - 1] : undefined,
    };
  };
  const readTotals = async (filter: OrderFilter): Promise<OrderTotals> => {
    const [{ rules }, totals] = await Promise.all([
      deps.costSettings.find(filter.shopId),
      deps.orderList.totals(filter),
    ]);
    return toTotals(totals, rules);
  };

  router.get('/v1/orders', ...deps.read, async (req, res) => {
    const format = formatOf(req, res);
    const asked = readQuery(req, (query) => readListQuery(query, { nowMs: deps.now(), isExport: format !== null }));
    const { after, cursor, limit, ...conditions } = asked;
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query, cursor);
    const place = cursor?.place;
    const range = rangeOf(asked.range, cursor);
    await deps.requirePush(shopId, after, { range, credits: true });
    const { currency } = await deps.sources.require(shopId);
    const filter = { ...conditions, shopId, range };
    if (format !== null) {
      const pages = allPages((key: OrderKey | undefined) => readPage(filter, key, limit));
      return deps.sendExport(req, res, { format, name: 'orders', range, schema: OrderSummary, pages });
    }
    const [{ rows, last }, totals] = await Promise.all([
      readPage(filter, place && { day: place.day, placedAt: place.at, orderId: place.id }, limit),
      // They hold for all pages: summed up once, and carried by the cursor.
      place?.totals ?? readTotals(filter),
    ]);
    const next: OrderPlace | undefined = last && {
      ...range,
      day: last.day,
      at: last.placedAt,
      id: last.orderId,
      totals,
    };
    const answer: OrderListResponse = {
      ...boundsOf(range),
      currency,
      orders: rows,
      totals,
      ...nextOf(query, next),
    };
    res.json(answer);
  });

  router.get('/v1/orders/:order_id', ...deps.read, async (req, res) => {
    const { after } = readQuery(req, (query) => ({ after: query.receipt() }));
    const { shopId } = authOf(res);
    await deps.requirePush(shopId, after, { range: NO_DAYS, credits: true });
    await deps.sources.require(shopId);
    const orderId = String(req.params.order_id);
    const [{ rules }, found] = await Promise.all([deps.costSettings.find(shopId), deps.findOrder(shopId, orderId)]);
    if (found === null) throw requestError('not_found', `There is no order ${echo(orderId)}.`);
    res.json(toDetail(found, rules));
  });
}

function readListQuery(query: Query, { nowMs, isExport }: { nowMs: number; isExport: boolean }) {
  return {
    range: query.range(nowMs),
    after: query.receipt(),
    status: query.oneOf('status', LISTED_STATUSES),
    counted: query.flag('counted'),
    missingCost: query.flag('missing_cost'),
    sku: query.text('sku'),
    channel: query.text('channel', LONGEST_CHANNEL),
    gateway: query.text('gateway'),
    ...pageOf(query, { isExport, parse: (text) => readRangeCursor(text, orderPlaceValidator) }),
  };
}
