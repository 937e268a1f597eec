import { createServer, type Server } from 'node:http';
import { fieldsOf, type Fields } from '../../src/domain/fields.js';
import { casesOf } from '../convert/cases.js';

const inputOf = (platform: string, name: string): { order: Fields; refunds: unknown } => {
  const input = casesOf(platform).find((one) => one.name === name)?.input;
  return { order: fieldsOf(input?.order), refunds: input?.refunds ?? [] };
};

/** Three orders as Shopify's GraphQL API answers them: in two pages, with a token, to a query that asks for enough. */
export function shopifyShop(): Server {
  const { order } = inputOf('shopify', 'graphql-trimmed-zeros');
  const nodes = [1, 2, 3].map((id) => ({ ...order, id: `gid://shopify/Order/${id}`, name: `#${id}` }));
  return createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      const { query, variables } = fieldsOf(JSON.parse(text));
      const { cursor, filter } = fieldsOf(variables);
      const isOurs =
        req.headers['x-shopify-access-token'] === 'shpat_1' && String(query).includes('displayFinancialStatus');
      const isFiltered =
        filter === undefined || (typeof filter === 'string' && /^updated_at:>='\d{4}-.*Z'$/.test(filter));
      const orders = {
        nodes: cursor === undefined ? nodes.slice(0, 2) : nodes.slice(2),
        pageInfo: { hasNextPage: cursor === undefined, endCursor: 'c' },
      };
      res.end(JSON.stringify(isOurs && isFiltered ? { data: { orders } } : { errors: [{ message: 'no' }] }));
    });
  });
}

/** An order of WooCommerce, and what the second call tells of its refunds. */
export interface WooOrder {
  order: Fields;
  refunds: unknown;
}

export const WOO_KEY = { WOO_KEY: 'ck_1', WOO_SECRET: 'cs_1' };

/** Four orders by id: one with a refund, one of a status of the shop's own. */
export function wooOrders(): Map<string, WooOrder> {
  const names = ['tax-added', 'coupon', 'refund-of-a-line-and-shipping', 'own-status-unpaid'];
  return new Map(names.map((name) => inputOf('woocommerce', name)).map((one) => [String(one.order.id), one]));
}

/** The part of WooCommerce's REST API that reads orders; an answer may be on its way for long. */
export function wooShop(
  orders: ReadonlyMap<string, WooOrder>,
  onItsWay = (): Promise<unknown> => Promise.resolve(),
): Server {
  const authorization = `Basic ${Buffer.from('ck_1:cs_1').toString('base64')}`;
  return createServer((req, res) => {
    const send = (status: number, body: unknown): void => {
      void onItsWay().then(() =>
        res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
      );
    };
    const [, id, refunds] = /^\/wp-json\/wc\/v3\/orders(?:\/([^/?]+))?(\/refunds)?(?:\?|$)/.exec(req.url ?? '') ?? [];
    const found = orders.get(id ?? '');
    if (req.headers.authorization !== authorization) send(401, { code: 'woocommerce_rest_cannot_view' });
    else if (id === undefined)
      send(
        200,
        [...orders.values()].map(({ order }) => order),
      );
    else if (found === undefined) send(404, { code: 'woocommerce_rest_shop_order_invalid_id' });
    else send(200, refunds === undefined ? found.order : found.refunds);
  });
}
