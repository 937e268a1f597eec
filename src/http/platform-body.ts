import { readBody, requireType } from '../body/read-body.js';
import { parseAnyNames } from '../body/json-text.js';
import { itemsOfValues } from '../body/items.js';
import { fieldsOf } from '../domain/fields.js';
import { requestError } from '../errors.js';
import type { PushedBatch, RequestBody } from './request-bodies.js';

/** Orders of one request, as a batch of items. */
const MAX_ORDERS = 250;

/** With `format=` in the query the orders of a platform, in whatever of its forms; else the body as the route has it. */
export function platformOr(own: RequestBody<PushedBatch>): RequestBody<PushedBatch> {
  return {
    ...own,
    async receive(exchange, tools, work) {
      const { req, res, shopId } = exchange;
      if (req.query.format === undefined) return own.receive(exchange, tools, work);
      requireType(req);
      await tools.bodies.during(shopId, res, async (count) => {
        const bytes = await readBody(req, own.maxBytes, count);
        const yielder = await tools.yielding.begin(shopId);
        const orders = ordersIn(await parseAnyNames(bytes, yielder));
        if (orders.length === 0 || orders.length > MAX_ORDERS) {
          throw requestError('batch_size', `The body must hold 1 to ${MAX_ORDERS} orders; it has ${orders.length}.`);
        }
        await yielder.yield();
        await work({ items: itemsOfValues(orders), yielder });
      });
    },
  };
}

/** One order, `{ order }`, `{ orders }`, or a list; also as GraphQL answers them. */
function ordersIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const { orders, data } = fieldsOf(value);
  const listed = orders ?? fieldsOf(data).orders;
  if (Array.isArray(listed)) return listed;
  const { nodes, edges } = fieldsOf(listed);
  if (Array.isArray(nodes)) return nodes;
  return Array.isArray(edges) ? edges : [value];
}
