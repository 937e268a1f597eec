import type { Router } from 'express';
import { MAX_RANGE_DAYS } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import { echo, requestError } from '../../errors.js';
import {
  LISTED_STATUSES,
  ORDERS_PAGE,
  orderPlaceValidator,
  type OrderListResponse,
  type OrderPlace,
} from '../../schemas/order-reads.js';
import type { OrderFilter } from '../../warehouse/queries/order-filter.js';
import { queryId, readCursor, requireCursorOf, writeCursor } from '../cursor.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery, refuseQuery, type Query } from '../middleware/query.js';
import { toDetail } from '../answers/order-detail-answer.js';
import { toSummary, toTotals } from '../answers/order-answers.js';
import type { RouteDeps } from '../route-deps.js';

/** `GET /v1/orders` and `/v1/orders/{order_id}` (contract: "Explaining figures"). */
export function orderReadRoutes(router: Router, deps: RouteDeps): void {
  const readPage = async (filter: OrderFilter, place: OrderPlace | undefined, limit: number) => {
    const after = place && { day: place.day, placedAt: place.at, orderId: place.id };
    const [{ rules }, keys, totals] = await Promise.all([
      deps.costSettings.find(filter.shopId),
      deps.orderList.keys(filter, after, limit + 1),
      // They hold for all pages: summed up once, and carried by the cursor.
      place === undefined ? deps.orderList.totals(filter) : null,
    ]);
    const orders = await deps.orderList.orders(filter, keys.slice(0, limit));
    return {
      orders: orders.map((order) => toSummary(order, rules)),
      totals: totals === null ? place?.totals : toTotals(totals, rules),
      last: keys.length > limit ? keys[limit - 1] : undefined,
    };
  };

  router.get('/v1/orders', ...deps.read, async (req, res) => {
    const {
      range: asked,
      after,
      cursor,
      limit,
      ...conditions
    } = readQuery(req, (query) => readListQuery(query, deps.now()));
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query);
    requireCursorOf(query, cursor);
    const range = cursor === undefined ? asked : { from: cursor.place.from, to: cursor.place.to };
    await deps.requirePush(shopId, after, { range, credits: true });
    const { currency } = await deps.sources.require(shopId);
    const { orders, totals, last } = await readPage({ shopId, range, ...conditions }, cursor?.place, limit);
    if (totals === undefined) throw new Error('a page has totals');
    const place = last && { ...range, day: last.day, at: last.placedAt, id: last.orderId, totals };
    const answer: OrderListResponse = {
      from: formatDay(range.from),
      to: formatDay(range.to),
      currency,
      orders,
      totals,
      ...(place && { next: writeCursor({ query, place }) }),
    };
    res.json(answer);
  });

  router.get('/v1/orders/:order_id', ...deps.read, async (req, res) => {
    refuseQuery(req);
    const { shopId } = authOf(res);
    await deps.sources.require(shopId);
    const orderId = String(req.params.order_id);
    const [{ rules }, found] = await Promise.all([deps.costSettings.find(shopId), deps.findOrder(shopId, orderId)]);
    if (found === null) throw requestError('not_found', `There is no order ${echo(orderId)}.`);
    res.json(toDetail(found, rules));
  });
}

function readListQuery(query: Query, nowMs: number) {
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
    limit: query.integer('limit', { min: 1, max: ORDERS_PAGE.max, fallback: ORDERS_PAGE.default }),
    cursor: query.parsed(
      'cursor',
      (text) => {
        const cursor = readCursor(text, orderPlaceValidator);
        return cursor !== null && isPlace(cursor.place) ? cursor : null;
      },
      'must be the next of an earlier answer',
    ),
  };
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
