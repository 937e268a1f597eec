import type { FreshKey, Shop } from '../../../schemas/app.js';

/** A command line ready to paste. */
export interface Command {
  title: string;
  text: string;
}

/** What to try first with a key: each command works as it is. */
export function commandsFor(
  { key, scopes }: Pick<FreshKey, 'key' | 'scopes'>,
  shop: Shop,
  origin: string,
  now: Date,
): Command[] {
  const commands: Command[] = [];
  const currency = shop.currency ?? 'EUR';
  const send = (method: string, path: string, body: unknown): string =>
    [
      `curl -X ${method} '${origin}${path}' \\`,
      `  -H "Authorization: Bearer ${key}" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify(body, null, 2)}'`,
    ].join('\n');
  if (shop.currency === null && scopes.includes('orders:write')) {
    const source = { platform: 'custom', currency, timezone: 'UTC' };
    commands.push({ title: 'Register the shop, once', text: send('PUT', '/v1/source', source) });
  }
  if (scopes.includes('orders:write')) {
    const order = {
      order_id: `test-${now.getTime()}`,
      placed_at: now.toISOString(),
      currency,
      status: 'paid',
      line_items: [{ line_id: '1', quantity: '2', unit_price: '19.90', unit_cost: '7.50' }],
      shipping: '4.20',
      total: '44.00',
    };
    commands.push({ title: 'Push an order', text: send('POST', '/v1/orders', { orders: [order] }) });
  }
  if (scopes.includes('read')) {
    const text = `curl '${origin}/v1/metrics' \\\n  -H "Authorization: Bearer ${key}"`;
    commands.push({ title: 'Read the figures of the last 30 days', text });
  }
  return commands;
}
