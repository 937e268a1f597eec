import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { generateKey } from '../../src/domain/keys.js';
import { biUser } from '../../src/embedded/engines/bi-users.js';
import { startClickHouse, type RunningClickHouse } from '../../src/embedded/engines/clickhouse.js';
import { startRedis, type RunningRedis } from '../../src/embedded/engines/redis.js';
import { askRedis } from '../../src/redis/one-connection.js';
import { joinAs, json, OPERATOR_ENV, signInAsOperator } from '../console/support.js';
import { freeze, until } from '../embedded/processes.js';
import { analystOf, BI_POOL, startBiProxy, type BiProxy } from '../support/bi-proxy.js';
import { quietLog } from '../support/engines.js';
import { answersInTrouble, expectRightOr503, statusesOf, type Known } from '../support/answers-in-trouble.js';
import { LEFT_BYTES, mountDisk, type OwnDisk } from '../support/own-disk.js';
import { paidOrder } from '../support/paid-order.js';
import { environmentOf, startService, type Service, type Shop } from '../support/service.js';
import { pushAll } from '../support/whole-shop.js';

const DAYS = { from: '2026-01-01', to: '2026-01-31' };
const HOOK_OF = { secret: 's', shop_domain: 'a.myshopify.com' };
/** Less than the engine keeps free for what it has begun: no insert begins. */
const LOW_BYTES = 256 * 1024 ** 2;

describe('stores in trouble', () => {
  let folder: string;
  let disk: OwnDisk;
  let clickhouse: RunningClickHouse;
  let redis: RunningRedis;
  let base: NodeJS.ProcessEnv;
  let service: Service;
  let shop: Shop;
  let proxy: BiProxy;
  let known: Known;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-full-disk-'));
    await mkdir(join(folder, 'disk'));
    disk = mountDisk(join(folder, 'disk'));
    const biUsers = BI_POOL.map(({ account }) => biUser(account));
    clickhouse = await startClickHouse({ dataDir: join(folder, 'disk', 'clickhouse'), log: quietLog, biUsers });
    redis = await startRedis({ dataDir: join(folder, 'redis'), log: quietLog });
    proxy = await startBiProxy({ clickhouse, dataDir: folder }, BI_POOL);
    base = { ...(await environmentOf({ clickhouse, redis })), ...OPERATOR_ENV };
    service = await startService({ base });
    shop = await service.shop();
    await pushAll(service, shop, 0);
    const operator = await signInAsOperator(service);
    const person = await joinAs(service, operator, { role: 'viewer', shops: [shop.id] });
    const { token } = await json(await operator.post(`/app/api/shops/${shop.id}/share-links`, DAYS), 201);
    const { body } = await shop.call('PUT', '/v1/hooks/shopify', HOOK_OF);
    const idle = await service.key('a shop without a source');
    known = { key: shop.key, idle, unknown: generateKey('secret'), person: person.name, token, hook: body.hook_id };
    await service.settled();
  });
  after(async () => {
    await empty();
    await Promise.all([service.stop(), proxy.stop()]);
    await Promise.all([clickhouse.stop(), redis.stop()]);
    disk.remove();
    await rm(folder, { recursive: true, force: true });
  });
  let isFull = false;
  let keeping: Promise<void> = Promise.resolve();
  const empty = async (): Promise<void> => {
    isFull = false;
    await keeping;
    await disk.empty();
  };
  /** The engine gives room back: it removes parts that were merged. */
  const keepFull = async (): Promise<void> => {
    while (isFull) {
      await disk.leave(0);
      await sleep(200);
    }
  };
  beforeEach(empty);

  /** What the engine does then, and the service must not take for an answer. */
  const answersNothing = async (): Promise<boolean> => {
    const { url, username, password } = clickhouse;
    const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const response = await fetch(`${url}/?query=SELECT+1&wait_end_of_query=1`, { headers: { Authorization } });
    const text = await response.text();
    expect(response.status).to.equal(200);
    return text === '';
  };
  const fill = async (): Promise<void> => {
    isFull = true;
    keeping = keepFull();
    await until('the disk is full', answersNothing);
  };
  const inTrouble = (trouble: () => Promise<unknown>) => answersInTrouble(base, known, trouble);

  it('as a full disk leave every read, file and look-up right, or 503', async () => {
    const right = await inTrouble(() => Promise.resolve());
    expect(statusesOf(right)).to.deep.equal({ 200: right.size - 6, 204: 1, 401: 3, 404: 1, 409: 1 });
    const found = await inTrouble(fill);
    // Merges give room back for moments.
    await until('it is full to the end', answersNothing);
    expectRightOr503(found, right);
    // What writes who signed in; and nothing that only reads needs the disk.
    const refused = [...found].filter(([, answer]) => answer.startsWith('503')).map(([what]) => what);
    expect(['sign-in']).to.include.members(refused);
  });

  it('as a full disk make an answer that is too long for memory an error, never a part of it', async () => {
    const { warehouse } = service.stores;
    const long = "SELECT number, repeat('x', 999) AS text FROM numbers(20000)";
    const ask = () => warehouse.query(long, undefined, { waitMs: 600_000 });
    expect(await ask()).to.have.lengthOf(20_000);
    await fill();
    // Merges give room back for moments, in which the answer is whole.
    await until('the answer has no room', async () => {
      const answer = await ask().catch((error: unknown) => error);
      if (!(answer instanceof Error)) expect(answer).to.have.lengthOf(20_000);
      else expect(answer).to.have.nested.property('errors[0].code', 'store_unavailable');
      return answer instanceof Error;
    });
    expect(await warehouse.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    const bytes = await warehouse.queryBytes({ name: 'long', sql: `${long} FORMAT TSV` }, { waitMs: 600_000 });
    expect(bytes.toString().split('\n'), 'what is streamed').to.have.lengthOf(20_001);
  });

  it('as a full disk give BI tools that ask for it in one piece the whole answer, or break it off', async () => {
    const ask = await analystOf(shop.id, proxy, service.stores.warehouse);
    const [orders, long] = ['SELECT * FROM bi.orders ORDER BY order_id', "SELECT repeat('x', 999) FROM numbers(30000)"];
    const right = await ask(orders);
    expect(right).to.have.lengthOf(14);
    await fill();
    expect(await ask(orders)).to.deep.equal(right);
    expect(await ask(long)).to.have.lengthOf(30_000);
    const wrong = (sql: string) => ask(sql).then(String, String);
    expect(await wrong('SELECT throwIf(number = 9) FROM numbers(10)'), 'in time for a status').to.match(/THROW_IF/);
    expect(await wrong(`${long} WHERE throwIf(number = 29999) = 0`)).to.match(/terminated|THROW_IF/);
  });

  it('that come and go while shops push and read end in what was accepted', async () => {
    const busy = await service.shop();
    const spoilt: string[] = [];
    let [accepted, isOver] = [0, false];
    /** What is refused may be stored all the same, so it is sent until it is accepted. */
    const push = async (): Promise<void> => {
      for (let isTaken = true; !isOver || !isTaken;) {
        const { status } = await busy.call('POST', '/v1/orders', { orders: [paidOrder(`o-${accepted}`)] });
        isTaken = status === 200;
        if (isTaken) accepted++;
        await sleep(20);
      }
    };
    /** Orders are only added, so no answer has fewer than the one before. */
    const read = async (): Promise<void> => {
      for (let last = 0; !isOver;) {
        const { status, body } = await busy.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
        if (status === 200 && body.orders >= last) last = body.orders;
        else if (status !== 503) spoilt.push(`${status} ${JSON.stringify(body).slice(0, 200)} after ${last}`);
        await sleep(10);
      }
    };
    const work = Promise.all([push(), read(), read()]);
    for (let round = 0; round < 4; round++) {
      // What is under way ends first: see "A full disk" in clickhouse/server/README.md.
      await disk.leave(LOW_BYTES);
      await sleep(700);
      await disk.leave(LEFT_BYTES);
      await sleep(300);
      if (round === 2) {
        await freeze(clickhouse.pid);
        await sleep(1_000);
        process.kill(clickhouse.pid, 'SIGCONT');
      }
      if (round === 3) {
        await askRedis(redis, (one) => one.config('SET', 'maxmemory', 1), 5_000);
        await sleep(500);
        await askRedis(redis, (one) => one.config('SET', 'maxmemory', 0), 5_000);
      }
      await disk.empty();
      await sleep(500);
    }
    isOver = true;
    await work;
    expect(spoilt).to.deep.equal([]);
    expect(accepted).to.be.above(10);
    await service.settled();
    const { body } = await busy.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
    expect(body.orders).to.equal(accepted);
  });

  it('as Redis at its bound, or gone, leave no look-up that says "there is none"', async () => {
    const right = await inTrouble(() => Promise.resolve());
    const limit = (bytes: number) => askRedis(redis, (one) => one.config('SET', 'maxmemory', bytes), 5_000);
    const bound = await inTrouble(() => limit(1));
    await limit(0);
    expectRightOr503(bound, right);
    await service.stop();
    const gone = await inTrouble(() => redis.stop());
    redis = await startRedis({ dataDir: join(folder, 'redis'), log: quietLog });
    service = await startService({ base, workers: false });
    expectRightOr503(gone, right);
    for (const what of ['an unknown key', 'a key without a source', 'an unknown hook'])
      expect(gone.get(what), what).to.match(/^503 .*_unavailable/);
  });
});
