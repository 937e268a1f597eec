import type { FreshKey, Shop } from '../../../schemas/app.js';

/** A command line ready to paste. */
export interface Command {
  title: string;
  text: string;
}

/** A call of the API. */
export interface Call {
  title: string;
  method: string;
  path: string;
  body: object;
}

/** What a shop sends first. */
export function firstCalls({ currency }: Pick<Shop, 'currency'>, now: Date): Call[] {
  const source = { platform: 'custom', currency: 'EUR', timezone: 'UTC' };
  const order = {
    order_id: `test-${now.getTime()}`,
    placed_at: now.toISOString(),
    currency: currency ?? source.currency,
    status: 'paid',
    line_items: [{ line_id: '1', quantity: '2', unit_price: '19.90', unit_cost: '7.50' }],
    shipping: '4.20',
    total: '44.00',
  };
  const register: Call = { title: 'Register the shop, once', method: 'PUT', path: '/v1/source', body: source };
  const push: Call = { title: 'Push an order', method: 'POST', path: '/v1/orders', body: { orders: [order] } };
  return currency === null ? [register, push] : [push];
}

/** What to try first with a key: each command works as it is. */
export function commandsFor(
  { key, scopes }: Pick<FreshKey, 'key' | 'scopes'>,
  shop: Shop,
  origin: string,
  now: Date,
): Command[] {
  const calls = scopes.includes('orders:write') ? firstCalls(shop, now) : [];
  const commands = calls.map((call) => ({ title: call.title, text: curlOf(call, key, origin) }));
  if (!scopes.includes('read')) return commands;
  const text = `curl '${origin}/v1/metrics' \\\n  -H "Authorization: Bearer ${key}"`;
  return [...commands, { title: 'Read the figures of the last 30 days', text }];
}

export function curlOf({ method, path, body }: Call, key: string, origin: string): string {
  return [
    `curl -X ${method} '${origin}${path}' \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body, null, 2)}'`,
  ].join('\n');
}
