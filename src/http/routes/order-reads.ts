import type { Router } from 'express';
import { MAX_RANGE_DAYS, type DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import { echo, requestError } from '../../errors.js';
import {
  LISTED_STATUSES,
  ORDERS_PAGE,
  orderPlaceValidator,
  OrderSummary,
  type OrderListResponse,
  type OrderPlace,
  type OrderTotals,
} from '../../schemas/order-reads.js';
import type { OrderFilter } from '../../warehouse/queries/order-filter.js';
import type { OrderKey } from '../../warehouse/queries/order-list.js';
import { queryId, readCursor, requireCursorOf, writeCursor, type Cursor } from '../cursor.js';
import { formatOf } from '../exports/format.js';
import { allPages, pageOf } from '../exports/pages.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery, type Query } from '../middleware/query.js';
import { toDetail } from '../answers/order-detail-answer.js';
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
    const { range: askedRange, after, cursor, limit, ...conditions } = asked;
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query);
    requireCursorOf(query, cursor);
    const place = cursor?.place;
    const range = place === undefined ? askedRange : { from: place.from, to: place.to };
    await deps.requirePush(shopId, after, { range, credits: true });
    const { currency } = await deps.sources.require(shopId);
    const filter = { shopId, range, ...conditions };
    if (format !== null) {
      const pages = allPages((behind: OrderKey | undefined) => readPage(filter, behind, limit));
      return deps.sendExport(req, res, { format, name: 'orders', range, schema: OrderSummary, pages });
    }
    const [{ rows, last }, totals] = await Promise.all([
      readPage(filter, place && { day: place.day, placedAt: place.at, orderId: place.id }, limit),
      // They hold for all pages: summed up once, and carried by the cursor.
      place?.totals ?? readTotals(filter),
    ]);
    const next = last && { ...range, day: last.day, at: last.placedAt, id: last.orderId, totals };
    const answer: OrderListResponse = {
      from: formatDay(range.from),
      to: formatDay(range.to),
      currency,
      orders: rows,
      totals,
      ...(next && { next: writeCursor<OrderPlace>({ query, place: next }) }),
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
  const isSet = (name: string): boolean | undefined =>
    query.parsed(name, (text) => FLAGS.get(text) ?? null, 'must be one of 1, true, 0, false');
  return {
    range: query.range(nowMs),
    after: query.receipt(),
    status: query.parsed(
      'status',
      (text) => LISTED_STATUSES.find((status) => status === text) ?? null,
      `must be one of ${LISTED_STATUSES.join(', ')}`,
    ),
    counted: isSet('counted'),
    missingCost: isSet('missing_cost'),
    sku: query.text('sku'),
    channel: query.text('channel'),
    gateway: query.text('gateway'),
    ...pageOf(query, { isExport, page: ORDERS_PAGE, parse: parseCursor }),
  };
}

function parseCursor(text: string): Cursor<OrderPlace> | null {
  const cursor = readCursor(text, orderPlaceValidator);
  return cursor !== null && isPlace(cursor.place) ? cursor : null;
}

/** A range of a cursor is bound like any other. */
function isPlace({ from, to, day }: OrderPlace): boolean {
  return from <= day && day <= to && to - from < MAX_RANGE_DAYS;
}

const FLAGS = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);
