import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { keptPort } from '../../support/remembered-port.js';
import type { EventsPush, GroupJob } from '../../../src/queue/jobs.js';
import { segmentsOf } from '../../../src/queue/segments.js';
import { keepAlive } from '../../support/keep-alive.js';
import { serviceEnvironment, startService, type Service } from '../../support/service.js';

const email = 'Jane.Doe@private.example';
const phone = '+49 151 23456789';
const address = '203.0.113.77';
/** In every spelling that a page, a mail tool or a script could give them. */
const secrets = [
  /jane(?:\.|%2e)?doe/i,
  /private(?:\.|%2e)example/i,
  /amFuZS5kb2V/i,
  /SmFuZS5Eb2V/,
  /151[ .+%20-]*23456789/,
  /203\.0\.113\.77/,
  /s3cret/i,
];

const event = (fields: Record<string, unknown>): Record<string, unknown> => ({
  event_id: randomUUID(),
  type: 'page_view',
  ts: new Date().toISOString(),
  anon_id: randomUUID(),
  consent: 'analytics+marketing',
  ...fields,
});

const encoded = encodeURIComponent(email);
const base64 = Buffer.from(email).toString('base64');
const site = 'https://shop.example.com';

/** Whatever a page may carry, and some that no honest client would send. */
const hostile: Record<string, unknown>[] = [
  { url: `${site}/?email=${email}&utm_source=${email}&gclid=${encoded}` },
  { url: `${site}/welcome/${encoded}/orders?q=${encodeURIComponent(encoded)}#token=s3cret&mail=${email}` },
  { url: `${site}/?ref=${base64}&phone=${encodeURIComponent(phone)}&client_ip=${address}` },
  { url: `https://${encoded}:s3cret@shop.example.com/` },
  { url: `${site}/`, referrer: `https://mail.example.com/inbox?u=${encoded}&name=Jane.Doe` },
  { url: `${site}/?return=${encodeURIComponent(`/login?email=${email}&password=s3cret`)}` },
  { url: `mailto:${email}` },
  { anon_id: email },
  { anon_id: encoded },
  { session_hint: phone },
  { store_client_id: email },
  { type: 'purchase', order_id: email },
  { type: 'purchase', checkout_token: encoded },
  { product_id: email, sku: email },
  { type: 'identify', email_hash: email },
  { consent: email },
  { type: email },
  { ts: email },
  { event_id: email },
  { [email]: 1 },
];

describe('what the collector keeps of a hostile batch', () => {
  let observer: Service;

  before(async () => {
    observer = await startService({ workers: false });
  });
  after(() => observer.stop());

  it('holds no e-mail address, phone number, password or IP address: not in Redis, ClickHouse or the logs', async () => {
    const shopId = `private-${randomUUID().slice(0, 8)}`;
    const token = await observer.key(shopId, 'pixel');
    const port = await keptPort();
    const env = { ...(await serviceEnvironment()), PORT: String(port), LOG_LEVEL: 'trace', TRUSTED_PROXIES: '1' };
    const api = keepAlive('dist/src/main.js', env);
    const url = `http://127.0.0.1:${port}/v1/collect`;
    const headers = {
      'X-Forwarded-For': address,
      'User-Agent': 'Mozilla/5.0 Firefox/140.0',
      Forwarded: `for=${address}`,
    };
    const post = (query: string, body: unknown) =>
      fetch(url + query, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
    await api.started();

    const events = hostile.map(event);
    const answer = await post('?debug=1', { token, events });
    const { results } = (await answer.json()) as { results: { verdict: string }[] };
    const accepted = results.filter((result) => result.verdict === 'accepted').length;
    expect(accepted, 'the batch must not be refused whole').to.be.greaterThan(4);
    expect((await post('', { token, events })).status).to.equal(204);
    await post('', { token, events, [email]: email });
    await post('', `{"${email}": "${address}`);
    await post(`?${encoded}=${address}`, { token, events });
    const queued = await everythingIn(observer.stores.redis);
    // Only now, so that the queue could be looked into.
    const worker = keepAlive('dist/workers/main.js', env);
    await observer.settled();

    const stored = await everythingStored(observer, shopId);
    expect(stored).to.include('shop.example.com');
    expect(queued).to.include(shopId).and.include('shop.example.com');
    await Promise.all([api.stop(), worker.stop()]);
    const logs = api.output() + worker.output();
    for (const secret of secrets) {
      expect(secret.exec(queued)?.[0], 'Redis').to.equal(undefined);
      expect(secret.exec(await everythingIn(observer.stores.redis))?.[0], 'Redis').to.equal(undefined);
      expect(secret.exec(stored)?.[0], 'ClickHouse').to.equal(undefined);
      expect(secret.exec(logs)?.[0], 'the logs').to.equal(undefined);
    }
  });
});

/** Every key and value, and what is packed in the jobs of events. */
async function everythingIn(redis: Redis): Promise<string> {
  const found: string[] = [];
  for (const key of await redis.keys('*')) {
    found.push(key);
    const type = await redis.type(key);
    if (type === 'string') found.push((await redis.get(key)) ?? '');
    else if (type === 'hash') {
      const hash = await redis.hgetall(key);
      found.push(JSON.stringify(hash));
      if (key.startsWith('bull:events:') && hash.data !== undefined) {
        const job = JSON.parse(hash.data) as GroupJob<EventsPush>;
        found.push(...segmentsOf(job, 1).map(({ rows }) => rows.toString()));
      }
    } else if (type === 'list') found.push(...(await redis.lrange(key, 0, -1)));
    else if (type === 'set') found.push(...(await redis.smembers(key)));
    else if (type === 'zset') found.push(...(await redis.zrange(key, 0, '-1')));
    else if (type === 'stream') found.push(JSON.stringify(await redis.xrange(key, '-', '+')));
  }
  return found.join('\n');
}

async function everythingStored({ stores, config }: Service, shopId: string): Promise<string> {
  const tables = await stores.warehouse.query<{ holder: string }>(
    `SELECT table AS holder FROM system.columns
     WHERE database = {database:String} AND name = 'shop_id' AND table NOT IN ('spend_rollup_requests', 'setting_states')`,
    { database: config.clickhouseDatabase },
  );
  const rows = await Promise.all(
    tables.map(({ holder }) =>
      stores.warehouse.query(`SELECT * FROM ${holder} WHERE shop_id = {shop:String}`, { shop: shopId }),
    ),
  );
  return JSON.stringify(rows);
}
