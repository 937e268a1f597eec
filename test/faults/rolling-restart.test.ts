import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { keptPort } from '../support/remembered-port.js';
import { until } from '../embedded/processes.js';
import { keepAlive, type KeptAlive } from '../support/keep-alive.js';
import { serviceEnvironment, startService, type Service, type Shop } from '../support/service.js';

const PUSHERS = 4;
const ORDERS_OF_A_PUSH = 5;
const PAUSE_MS = 20;
/** On a busy machine. */
const START_MS = 180_000;

/** What a load balancer does: asks each API whether it is ready, and passes requests to those that are, in turn. */
function balance(urls: readonly string[]) {
  let ready: string[] = [];
  let turn = 0;
  const look = async (): Promise<void> => {
    const answers = await Promise.all(urls.map((url) => fetch(`${url}/readyz`).then(readStatus, () => 0)));
    ready = urls.filter((_, i) => answers[i] === 200);
  };
  return {
    look,
    isReady: (url: string) => ready.includes(url),
    next: () => ready[turn++ % ready.length] ?? '',
  };
}

const readStatus = async (answer: Response): Promise<number> => {
  await answer.arrayBuffer();
  return answer.status;
};

describe('a rolling restart of two APIs and two workers under load', () => {
  let observer: Service;
  let shop: Shop;
  let token: string;
  const running: KeptAlive[] = [];

  before(async () => {
    observer = await startService({ workers: false });
    shop = await observer.shop();
    token = await observer.key(shop.id, 'pixel');
  });
  after(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await observer.stop();
  });

  it('fails no request, loses and doubles nothing', async () => {
    const env = { ...(await serviceEnvironment()), LOG_LEVEL: 'info', ACCESS_LOG: 'off', DRAIN_SECONDS: '3' };
    const ports = [await keptPort(), await keptPort()];
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const apis = ports.map((port) => keepAlive('dist/src/main.js', { ...env, PORT: String(port) }));
    const workers = [0, 1].map(() => keepAlive('dist/workers/main.js', env));
    running.push(...apis, ...workers);
    const balancer = balance(urls);
    const state = { isOver: false };
    const load = async (step: () => Promise<void>): Promise<void> => {
      while (!state.isOver) {
        await step();
        await sleep(PAUSE_MS);
      }
    };

    const statuses: Record<string, number> = {};
    const send = async (path: string, init: RequestInit): Promise<void> => {
      const said = await fetch(balancer.next() + path, init).then(
        async (answer) => `${path.split('?', 1)[0] ?? ''} ${await readStatus(answer)}`,
        (error: unknown) => `${path}: ${String((error as Error).cause ?? error)}`,
      );
      statuses[said] = (statuses[said] ?? 0) + 1;
    };
    const headers = { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' };
    let pushed = 0;
    let events = 0;
    const push = (): Promise<void> => {
      const orders = Array.from({ length: ORDERS_OF_A_PUSH }, () => orderOf(pushed++));
      return send('/v1/orders', { method: 'POST', headers, body: JSON.stringify({ orders }) });
    };
    const steps = [
      ...Array.from({ length: PUSHERS }, () => push),
      () => send('/v1/metrics?from=2026-03-01&to=2026-03-31', { headers }),
      () => send('/v1/collect', { method: 'POST', body: JSON.stringify({ token, events: [eventOf(events++)] }) }),
    ];

    const loops = [load(balancer.look)];
    try {
      await until('both APIs are ready', () => urls.every(balancer.isReady), START_MS);
      // Each says once that it works, and again when it has come back.
      await Promise.all(workers.map((worker) => worker.started()));
      loops.push(...steps.map(load));
      for (const [i, api] of apis.entries()) {
        const url = urls[i] ?? '';
        // They come back by themselves once they have ended, and find what those before them left in the queue.
        api.kill('SIGTERM');
        workers[i]?.kill('SIGTERM');
        await until(`the balancer has left ${url}`, () => !balancer.isReady(url));
        await until(`${url} is back`, () => balancer.isReady(url), START_MS);
        await until('its worker is back', () => workers[i]?.output().match(/"working"/g)?.length === 2, START_MS);
        const before = pushed;
        await until('the load goes on', () => pushed > before + 20 * ORDERS_OF_A_PUSH);
      }
    } finally {
      state.isOver = true;
      await Promise.all(loops);
    }
    expect(Object.keys(statuses), JSON.stringify(statuses)).to.have.members([
      '/v1/orders 200',
      '/v1/metrics 200',
      '/v1/collect 204',
    ]);

    await observer.settled();
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-31');
    expect(body).to.include({ orders: pushed, revenue: `${pushed}.00` });
    const [stored] = await observer.stores.warehouse.query<{ n: string }>(
      'SELECT count() AS n FROM events FINAL WHERE shop_id = {shop:String}',
      { shop: shop.id },
    );
    expect(stored?.n).to.equal(String(events));
  }).timeout(600_000);
});

const orderOf = (i: number) => ({
  order_id: `o-${i}`,
  placed_at: `2026-03-${String(1 + (i % 28)).padStart(2, '0')}T12:00:00Z`,
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', quantity: '1', unit_price: '1' }],
  total: '1',
});

const eventOf = (i: number) => ({
  event_id: `e-${i}`,
  type: 'page_view',
  ts: new Date().toISOString(),
  anon_id: 'v',
  consent: 'analytics',
  url: 'https://shop.example.com/',
});
