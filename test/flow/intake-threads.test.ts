import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { startIntakePool } from '../../src/intake-threads/pool.js';
import type { Config } from '../../src/config.js';
import { RequestError } from '../../src/errors.js';
import { startService, type Service } from '../support/service.js';

/** The order makes the threads take it: batches without are taken before them. */
const event = (rest: object = {}) => ({
  ...{ event_id: randomUUID(), type: 'page_view', ts: new Date().toISOString() },
  ...{ anon_id: 'v', consent: 'analytics', url: 'https://shop.example.com/', order_id: '1' },
  ...rest,
});

const plain = (each: object) => ({ ...each, order_id: undefined });

describe('the collector on threads', () => {
  let service: Service;
  let token: string;
  let shopId: string;

  const start = async (env: NodeJS.ProcessEnv = {}): Promise<void> => {
    service = await startService({
      env,
      intake: (config) =>
        startIntakePool(config, {
          onCrash: (reason) => expect.fail(String(reason)),
          entry: pathToFileURL(resolve('dist/src/intake-threads/thread-main.js')),
        }),
    });
    shopId = `threads-${randomUUID().slice(0, 8)}`;
    token = await service.key(shopId, 'pixel');
  };
  const send = (body: unknown, query = '') => service.call('POST', `/v1/collect${query}`, { body });
  afterEach(() => service.stop());

  it('stores what many requests bring at once, each event once', async () => {
    await start({ RATE_LIMIT_COLLECT_ADDRESS: '1000' });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        send({ token, events: [event(), event({ type: 'add_to_cart' })].map((each) => (i % 2 ? each : plain(each))) }),
      ),
    );
    expect(answers.map(({ status }) => status)).to.satisfy((all: number[]) => all.every((status) => status === 204));
    await service.settled();
    const [row] = await service.stores.warehouse.query<{ rows: string; ids: string }>(
      `SELECT count() AS rows, uniqExact(event_id) AS ids FROM events WHERE shop_id = '${shopId}'`,
    );
    expect(row).to.deep.equal({ rows: '400', ids: '400' });
  });

  it('answers as the collector itself does: verdicts, refusals and their headers', async () => {
    await start({ RATE_LIMIT_DEBUG: '6' });
    const verdicts = await send(
      { token, events: [event({ event_id: 'a' }), event({ event_id: 'b', consent: 'no' })] },
      '?debug=1',
    );
    expect(verdicts.status).to.equal(200);
    expect(verdicts.body.results.map((one: { verdict: string }) => one.verdict)).to.deep.equal(['accepted', 'dropped']);
    expect(verdicts.headers.get('ratelimit-limit')).to.equal('6');
    const refusals = await Promise.all([
      send({ token: 'pt_svc_wrong', events: [event()] }),
      send({ token, events: [] }),
      send({ token, events: [event()], more: 1 }),
      service.call('POST', '/v1/collect', { raw: '{', key: token }),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.errors[0].code])).to.deep.equal([
      [401, 'unauthorized'],
      [400, 'batch_size'],
      [400, 'unknown_field'],
      [400, 'invalid_json'],
    ]);
  });

  it('counts the requests of a token in all of them together, and those that are taken before them', async () => {
    await start({ RATE_LIMIT_COLLECT_TOKEN: '4', RATE_LIMIT_COLLECT_ADDRESS: '1000' });
    const other = await service.key(shopId, 'pixel');
    // Every thread is up before the burst, which then takes a part of a second.
    for (let i = 0; i < 4; i++) expect((await send({ token: other, events: [event()] })).status).to.equal(204);
    const second = (): number => Math.floor(Date.now() / 1_000);
    const first = second();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => send({ token, events: [i % 2 ? event() : plain(event())] })),
    );
    const seconds = second() - first + 1;
    expect(answers.filter(({ status }) => status === 204).length).to.be.within(4, 4 * seconds);
    expect(seconds, 'else no second is surely over its limit').to.be.lessThan(15);
    const over = answers.find(({ status }) => status === 429);
    expect(over?.body.errors[0].code).to.equal('rate_limited');
    expect(over?.headers.get('ratelimit-remaining')).to.equal('0');
    expect(over?.headers.get('retry-after')).to.equal('1');
  });
});

describe('pushes of orders on threads', () => {
  let service: Service;
  before(async () => {
    service = await startService({
      intake: (config) =>
        startIntakePool(config, {
          onCrash: (reason) => expect.fail(String(reason)),
          entry: pathToFileURL(resolve('dist/src/intake-threads/thread-main.js')),
        }),
    });
  });
  after(() => service.stop());

  const order = (id: string, currency = 'EUR') => ({
    ...{ order_id: id, placed_at: '2026-03-01T09:30:00Z', currency, status: 'paid', total: '10.00' },
    line_items: [{ line_id: '1', quantity: '1', unit_price: '10.00' }],
  });

  it('have the answers of the one thread that talks HTTP, and count once', async () => {
    const shop = await service.shop();
    const pushes = Array.from({ length: 20 }, (_, i) => ({
      orders: [order(`a${i}`), order('same'), { order_id: 'x' }],
    }));
    const answers = await Promise.all(pushes.map((push) => shop.call('POST', '/v1/orders', push)));
    for (const { status, headers, body } of answers) {
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/json; charset=utf-8']);
      expect([body.accepted, body.rejected]).to.deep.equal([2, 1]);
    }
    await service.settled();
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
    expect(body).to.include({ orders: 21, revenue: '210.00' });
  });

  it('are refused as a whole with the same codes', async () => {
    const shop = await service.shop();
    const unregistered = await service.key(`unregistered-${randomUUID().slice(0, 8)}`);
    const refused = await Promise.all([
      shop.call('POST', '/v1/orders', { orders: [] }),
      service.call('POST', '/v1/orders', { key: shop.key, raw: '{' }),
      service.call('POST', '/v1/orders', { key: unregistered, body: { orders: [order('a')] } }),
    ]);
    expect(refused.map(({ status, body }) => [status, body.errors[0].code])).to.deep.equal([
      [400, 'batch_size'],
      [400, 'invalid_json'],
      [409, 'source_not_registered'],
    ]);
  });

  it('know of an edited source at once, though each thread remembers the one before', async () => {
    const shop = await service.shop({ currency: 'EUR' });
    const push = async (currency: string): Promise<string> =>
      (await shop.call('POST', '/v1/orders', { orders: [order('a', currency)] })).body.results[0].outcome;
    for (let i = 0; i < 4; i++) expect(await push('GBP')).to.equal('rejected');
    await shop.call('PUT', '/v1/source', { platform: 'test', currency: 'GBP', timezone: 'UTC' });
    for (let i = 0; i < 4; i++) expect(await push('GBP')).to.equal('accepted');
  });
});

describe('a pool of intake threads', () => {
  /** Ends at a body of `die`, answers all others. */
  const mortal = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message.kind === 'close') return parentPort.close();
      if (Buffer.from(message.bodies ?? message.body).toString().includes('die')) throw new Error('dead');
      if (message.kind === 'push') return parentPort.postMessage([{ id: message.id, answer: message.shopId }]);
      parentPort.postMessage(message.beacons.map((_, i) => ({ id: message.first + i, answer: { verdicts: null } })));
    });`;
  const beacon = (text: string) => ({ body: Buffer.from(text), token: null, userAgent: undefined, debug: false });

  it('answers 503 for what a dead thread had under way, and starts another', async () => {
    const crashes: unknown[] = [];
    const entry = new URL(`data:text/javascript,${encodeURIComponent(mortal)}`);
    const pool = startIntakePool({} as Config, { entry, onCrash: (reason) => crashes.push(reason) });
    try {
      for (let i = 0; i < 6; i++) expect(await pool.collect(beacon('live'))).to.have.property('verdicts');
      const failure: unknown = await pool.collect(beacon('die')).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(RequestError);
      expect((failure as RequestError).errors[0].code).to.equal('queue_unavailable');
      expect((failure as RequestError).retryAfter).to.be.greaterThan(0);
      for (let i = 0; i < 6; i++) expect(await pool.collect(beacon('live'))).to.have.property('verdicts');
      const push = (text: string) => pool.pushOrders({ shopId: 'shop', body: Buffer.from(text), validateOnly: false });
      expect(await push('live')).to.equal('shop');
      const lost: unknown = await push('die').catch((error: unknown) => error);
      expect((lost as RequestError).errors[0].code).to.equal('queue_unavailable');
      expect(await push('live')).to.equal('shop');
      expect(crashes.map(String)).to.deep.equal(['Error: dead', 'Error: dead']);
    } finally {
      await pool.close();
    }
  });

  it('keeps every answer with its own request', async () => {
    const echoing = `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', (message) => {
        if (message.kind === 'close') return parentPort.close();
        let at = 0;
        const replies = message.beacons.map(({ length }, i) => {
          const text = Buffer.from(message.bodies, at, length).toString();
          at += length;
          return { id: message.first + i, answer: { verdicts: text } };
        });
        parentPort.postMessage(replies.reverse());
      });`;
    const entry = new URL(`data:text/javascript,${encodeURIComponent(echoing)}`);
    const pool = startIntakePool({} as Config, { entry, onCrash: (reason) => expect.fail(String(reason)) });
    try {
      const texts = Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(i)}`);
      const answers = await Promise.all(texts.map((text) => pool.collect(beacon(text))));
      expect(answers.map(({ verdicts }) => verdicts)).to.deep.equal(texts);
    } finally {
      await pool.close();
    }
  });
});
