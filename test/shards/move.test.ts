import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { runAudit } from '../../src/cli/commands/audit.js';
import { moveTo } from '../../src/cli/commands/move-command.js';
import { openStores } from '../../src/composition/stores.js';
import { loadConfig, type Config } from '../../src/config.js';
import { MoveError, type MoveStep } from '../../src/operations/copy/move-types.js';
import { runCommand } from '../support/command.js';
import { startEngines, startShardedEngines, type Engines } from '../support/engines.js';
import { environmentOf, startService, type Service } from '../support/service.js';
import { order } from '../support/two-units.js';

const SHOPS = ['move-a', 'move-b', 'move-c', 'move-d'];
/** Of all shops together: each costs its shard a turn, and six engines share the machine with other files. */
const PUSHES_PER_SECOND = 1;
/** Figures are never older than this. */
const FRESH_MS = 120_000;
const STEPS: readonly MoveStep[] = ['round', 'hold', 'copy', 'compare', 'place', 'switch'];

describe('a service whose rows move to other servers', () => {
  let redis: Engines;
  const started: Engines[] = [];
  let service: Service;
  let env: NodeJS.ProcessEnv;
  const keys = new Map<string, string>();
  /** Orders of each shop that were accepted, and when. */
  const accepted = new Map<string, number[]>(SHOPS.map((shop) => [shop, []]));
  const stopping = new AbortController();
  let load: Promise<void>;
  const stale: string[] = [];

  const base = async (engines: Engines): Promise<NodeJS.ProcessEnv> => ({
    ...(await environmentOf(engines)),
    REDIS_URL: redis.redis.url,
  });
  /** Accepted pushes count; one that is refused while processes are replaced is sent again. */
  const push = async (shop: string, n: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      const answer = await service
        .call('POST', '/v1/orders', { key: keys.get(shop) ?? '', body: { orders: [order(`${shop}-${n}`)] } })
        .catch(() => null);
      if (answer?.status === 200) {
        accepted.get(shop)?.push(Date.now());
        return;
      }
      await sleep(50);
    }
  };
  const ordersOf = async (shop: string): Promise<number | null> => {
    const answer = await service
      .call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-31', { key: keys.get(shop) ?? '' })
      .catch(() => null);
    return answer?.status === 200 ? (answer.body.orders as number) : null;
  };
  const run = async (): Promise<void> => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const shop = SHOPS[n % SHOPS.length] ?? '';
      const due = Date.now() - FRESH_MS;
      const before = (accepted.get(shop) ?? []).filter((at) => at < due).length;
      await push(shop, n);
      if (n % 4 === 0) {
        const seen = await ordersOf(shop);
        if (seen !== null && seen < before) stale.push(`${shop}: ${seen} of ${before}`);
      }
      await sleep(1_000 / PUSHES_PER_SECOND);
    }
  };

  before(async () => {
    redis = await startEngines();
    env = await environmentOf(redis);
    service = await startService({ base: env });
    for (const shop of SHOPS) {
      const key = await service.key(shop);
      keys.set(shop, key);
      const body = { platform: 'test', currency: 'EUR', timezone: 'UTC' };
      expect((await service.call('PUT', '/v1/source', { key, body })).status).to.equal(200);
    }
    load = run();
    load.catch(() => undefined);
  });
  after(async () => {
    stopping.abort();
    await load.catch(() => undefined);
    await service.stop();
    for (const engines of [...started, redis]) await engines.stop();
  });

  const takeOver = async (place: NodeJS.ProcessEnv): Promise<void> => {
    const old = service;
    service = await startService({ base: place });
    await old.stop();
    env = place;
  };
  const move = async (
    to: NodeJS.ProcessEnv,
    {
      from = service.config,
      failAt,
      heldMs,
      isTaken = true,
    }: { from?: Config; failAt?: MoveStep; heldMs?: number; isTaken?: boolean } = {},
  ) => {
    let restarted: Promise<void> | undefined;
    // Those of the service close when another takes over.
    const stores = openStores(from);
    try {
      await moveTo(stores, from, loadConfig({ ...to, DATA_DIR: redis.dataDir }), {
        stderr: new PassThrough().resume(),
        signal: new AbortController().signal,
        ...(heldMs !== undefined && { heldMs }),
        onStep(step) {
          if (step === failAt) throw new Error(`cut off at ${step}`);
        },
        onReady() {
          if (isTaken) restarted = takeOver(to);
        },
      });
    } finally {
      await restarted;
      await stores.close();
    }
  };

  const expectAll = async (): Promise<void> => {
    const counts = new Map(SHOPS.map((shop) => [shop, accepted.get(shop)?.length ?? 0]));
    for (const [shop, count] of counts) {
      while (!stopping.signal.aborted && ((await ordersOf(shop)) ?? 0) < count) await sleep(200);
    }
    expect(stale).to.deep.equal([]);
  };

  /** To new engines of so many shards. */
  const placeOf = async (shards: number): Promise<NodeJS.ProcessEnv> => {
    const engines = shards === 1 ? await startEngines() : await startShardedEngines(shards);
    started.push(engines);
    return base(engines);
  };
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const places: [string, number, string][] = [
    ['to two shards', 2, 'whatever step the move is cut off at, and when no process takes over'],
    ['to three', 3, 'when the move is cut off after its end'],
  ];
  for (const [index, [what, shards, how]] of places.entries()) {
    it(`goes on ${what} and loses nothing, ${how}`, async () => {
      const [from, to] = [service.config, await placeOf(shards)];
      if (index === 0) {
        for (const failAt of STEPS)
          expect(String(await failure(move(to, { failAt })))).to.contain(`cut off at ${failAt}`);
        expect(await failure(move(to, { heldMs: 8_000, isTaken: false })))
          .to.be.instanceOf(MoveError)
          .with.property('message')
          .that.contains('go on where they were');
        await expectAll();
      }
      if (index === 1) {
        expect(String(await failure(move(to, { failAt: 'clear' })))).to.contain('cut off at clear');
        await move(to, { from });
        expect(String(await failure(move(await base(redis), { from })))).to.contain(
          'has its rows in another ClickHouse by now',
        );
      } else await move(to);
      await expectAll();
      expect(service.stores.shards.each).to.have.length(shards);
    }).timeout(600_000);
  }

  it('goes back to one server by the command, after a kill while writes are held', async () => {
    // An engine at rest takes time of the others: those that have no part in this move end.
    await Promise.all([redis.clickhouse.stop(), started.shift()?.stop()]);
    const to = await placeOf(1);
    const run = (isTime: (printed: string) => Promise<boolean> | boolean) =>
      runCommand(
        ['move', '--url', to.CLICKHOUSE_URL ?? ''],
        { ...env, PATH: process.env.PATH, DATA_DIR: redis.dataDir },
        isTime,
      );
    const killed = await run(async () => (await service.stores.redis.exists('lock:flushes')) === 1);
    expect(killed.status).to.equal(null);
    let restarted: Promise<void> | undefined;
    const { status, out, err } = await run((printed) => {
      if (printed.includes('All rows are at the new place')) restarted ??= takeOver(to);
      return false;
    });
    await restarted;
    expect(status, err).to.equal(0);
    expect(out).to.contain('CLICKHOUSE_CLUSTER not set').and.contain('A process of the new place writes there');
    await expectAll();
    expect(service.stores.shards.each).to.have.length(1);
  }).timeout(600_000);

  it('has right figures at the end', async () => {
    stopping.abort();
    await load;
    await service.settled();
    for (const shop of SHOPS) expect(await ordersOf(shop), shop).to.equal(accepted.get(shop)?.length);
    const summary = await runAudit(service.stores, {
      stderr: new PassThrough().resume(),
      signal: new AbortController().signal,
      print: () => undefined,
    });
    expect(summary).to.include({ differences: 0, behind: 0 });
  }).timeout(600_000);
});
