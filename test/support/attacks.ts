const MB = 1024 * 1024;
const BODY_BYTES = 3.9 * MB;

/** A request that costs as much as one of its kind can. */
export interface Attack {
  name: string;
  path: string;
  method: 'POST' | 'PUT';
  body: Buffer;
}

/** A list that fills a body with what each call of `item` gives. */
function filled(list: string, most: number, item: (i: number) => string): Buffer {
  const items: string[] = [];
  for (let i = 0, bytes = 0; i < most && bytes < BODY_BYTES; i++) {
    const text = item(i);
    if (i > 0 && bytes + text.length > BODY_BYTES) break;
    items.push(text);
    bytes += text.length + 1;
  }
  return Buffer.from(`{"${list}":[${items.join(',')}]}`);
}

/** Fields that no contract knows, all of different names. */
let names = 0;
function unknownFields(bytes: number): string {
  const fields: string[] = [];
  for (let length = 0; length < bytes; length += (fields.at(-1)?.length ?? 0) + 1)
    fields.push(`"x${(names++).toString(36)}":1`);
  return fields.join(',');
}

const repeated = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(',');
const LINE = '{"line_id":"a","quantity":"1","unit_price":"1"}';
const order = (i: number, rest: string): string =>
  `{"order_id":"h${i}","placed_at":"2026-03-01T00:00:00Z","currency":"EUR","status":"paid","line_items":[${LINE}],"total":"1"${rest}}`;
const refund = (i: number, lines: number): string =>
  `{"refund_id":"r${i}","refunded_at":"2026-03-02T00:00:00Z","total":"0","line_items":[${repeated(lines, () => '{"line_id":"a","quantity":"1","restock":true}')}]}`;
const refunded = (i: number, refunds: number, lines: number): string =>
  order(i, `,"refunds":[${repeated(refunds, (r) => refund(r, lines))}]`);

export function attacks(): Attack[] {
  const spend = (name: string, body: Buffer): Attack => ({ name, path: '/v1/costs/spend', method: 'POST', body });
  const orders = (name: string, most: number, item: (i: number) => string): Attack => ({
    name,
    path: '/v1/orders',
    method: 'POST',
    body: filled('orders', most, item),
  });
  return [
    spend(
      '500 rows of unknown fields',
      filled('rows', 500, () => `{${unknownFields(7_900)}}`),
    ),
    spend(
      'one row of unknown fields',
      filled('rows', 1, () => `{${unknownFields(BODY_BYTES)}}`),
    ),
    spend(
      'rows of 100 unknown fields',
      filled('rows', 500, () => `{${unknownFields(800)}}`),
    ),
    spend(
      'labels of 8 KB',
      filled('rows', 500, (i) => `{"channel":"${'é'.repeat(3_900)}${i}"}`),
    ),
    spend('an unknown list', Buffer.from(`{"x":[${'{},'.repeat(MB)}{}],"rows":[{}]}`)),
    orders('250 orders of unknown fields', 250, (i) => order(i, `,${unknownFields(15_000)}`)),
    orders('an order of empty refunds', 1, (i) => order(i, `,"refunds":[${'{},'.repeat(MB)}{}]`)),
    orders('orders of 9,000 empty refunds', 250, (i) => order(i, `,"refunds":[${'{},'.repeat(9_000)}{}]`)),
    orders('orders of 500 empty refunds', 250, (i) => order(i, `,"refunds":[${'{},'.repeat(499)}{}]`)),
    orders('an order of 80,000 refunded lines', 1, (i) => refunded(i, 400, 200)),
    orders('orders of 5,000 refunded lines', 250, (i) => refunded(i, 10, 500)),
    orders('orders of 5,000 lines in 500 refunds', 250, (i) => refunded(i, 500, 10)),
    orders('an order nested 1,000,000 deep', 1, (i) => order(i, `,"refunds":${'['.repeat(MB)}${']'.repeat(MB)}`)),
    {
      name: '1,000 costs of unknown fields',
      path: '/v1/products/costs',
      method: 'PUT',
      body: filled('costs', 1_000, () => `{${unknownFields(3_900)}}`),
    },
    {
      name: 'a reconciliation of unknown fields',
      path: '/v1/reconcile',
      method: 'POST',
      body: filled('orders', 10_000, () => `{${unknownFields(400)}}`),
    },
    {
      name: 'a reconciliation of 10,000 orders',
      path: '/v1/reconcile',
      method: 'POST',
      body: filled('orders', 10_000, (i) => `{"order_id":"${'x'.repeat(240)}${i}","total":"1"}`),
    },
  ];
}

export async function sendAttack(
  url: string,
  key: string,
  { path, method, body }: Attack,
): Promise<{ status: number; text: string }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: new Uint8Array(body) });
  return { status: response.status, text: await response.text() };
}
