import { expect } from 'chai';
import { startMeasuredApi, type MeasuredApi } from '../support/measured-process.js';
import { serviceEnvironment, startService, type Service, type Shop } from '../support/service.js';

const MB = 1024 * 1024;
const ROUNDS = 60;

let count = 0;
/** A text of its own each time. */
const long = (length: number): string => `t${count++}-`.padEnd(length, 'é');

const ORDER_TEXTS = [
  'order_id',
  'order_name',
  'placed_at',
  'updated_at',
  'currency',
  'status',
  'discounts',
  'payment_gateway',
  'subscription_id',
  'total',
];
const LINE_TEXTS = ['line_id', 'quantity', 'unit_price', 'sku', 'product_id', 'title'];
const SPEND_TEXTS = [
  'channel',
  'event_date',
  'currency',
  'spend',
  'conversion_value',
  'campaign_id',
  'campaign_name',
  'adset_name',
  'ad_id',
];
const COST_TEXTS = ['sku', 'unit_cost', 'effective_from', 'currency'];
const EXPENSE_TEXTS = ['external_id', 'name', 'category', 'amount', 'currency', 'frequency', 'started_on', 'ended_on'];
const SOURCE_TEXTS = ['platform', 'currency', 'timezone', 'shop_domain'];
const EVENT_TEXTS = [
  'event_id',
  'ts',
  'anon_id',
  'consent',
  'session_hint',
  'order_id',
  'checkout_token',
  'sdk',
  'email_hash',
  'sku',
  'quantity',
];

const texts = (names: readonly string[], length: number): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, long(length)]));

/** A page and a referrer whose every part is long and of its own, which events may have. */
const visit = (): Record<string, string> => ({
  url: `https://h${count++}.${'a'.repeat(60)}.example/${'p'.repeat(500)}?utm_source=s${count}${'x'.repeat(200)}&utm_medium=m${count}${'y'.repeat(200)}&n${count}${'z'.repeat(50)}=1&q=${'q'.repeat(2_000)}`,
  referrer: `https://r${count++}.${'b'.repeat(60)}.example/${'r'.repeat(2_000)}`,
});

describe('what clients send', function () {
  this.timeout(600_000);
  let service: Service;
  let api: MeasuredApi;
  let shop: Shop;
  let token: string;

  before(async () => {
    service = await startService({ workers: false });
    api = await startMeasuredApi(await serviceEnvironment());
    shop = await service.shop();
    token = await service.key(shop.id, 'pixel');
  });
  after(async () => {
    await api.stop();
    await service.stop();
  });

  const send = async (method: string, path: string, body: unknown, key = shop.key, headers = {}): Promise<number> => {
    const response = await fetch(api.url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect(text.length, `${method} ${path}`).to.be.below(100_000);
    return response.status;
  };

  /** The largest texts in every text field of every operation. */
  const round = async (): Promise<void> => {
    await Promise.all([
      send('POST', '/v1/orders', {
        orders: [
          { ...texts(ORDER_TEXTS, 90_000), customer: { id: long(90_000) }, line_items: [texts(LINE_TEXTS, 90_000)] },
        ],
      }),
      send('POST', '/v1/costs/spend', { rows: [texts(SPEND_TEXTS, 200_000)] }),
      send('PUT', '/v1/products/costs', { costs: [texts(COST_TEXTS, 400_000)] }),
      send('PUT', '/v1/costs/gateway-fees', { rules: [texts(['payment_gateway', 'percent', 'fixed'], 40_000)] }),
      send('POST', '/v1/costs/expenses', texts(EXPENSE_TEXTS, 3_500)),
      send('PATCH', `/v1/costs/expenses/${long(1_000)}`, texts(EXPENSE_TEXTS, 3_500)),
      send('PUT', '/v1/source', texts(SOURCE_TEXTS, 2_000)),
      send('POST', '/v1/collect', { events: [texts(EVENT_TEXTS, 2_500)] }, token),
    ]);
    const event = { type: 'page_view', ts: new Date().toISOString(), anon_id: 'v', consent: 'analytics' };
    const events = Array.from({ length: 8 }, () => ({ ...event, event_id: `e${count++}`, ...visit() }));
    const userAgent = { 'User-Agent': `Agent/${count++} ${'u'.repeat(8_000)}` };
    expect(await send('POST', '/v1/collect', { events }, token, userAgent)).to.equal(204);
  };

  it('leaves less than 5 MB behind after 60 requests of the largest texts to each operation', async () => {
    for (let i = 0; i < 10; i++) await round();
    const before = await api.ask('heap');
    for (let i = 0; i < ROUNDS; i++) await round();
    const grown = (await api.ask('heap')) - before;
    expect(grown / MB, 'MB that stay').to.be.below(5);
  });
});
