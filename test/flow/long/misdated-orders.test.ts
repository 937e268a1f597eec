import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { inChunks } from '../../../src/domain/in-chunks.js';
import { reservationsOf } from '../../../src/redis/reservations.js';
import { runCommand } from '../../support/command.js';
import { checkDayTotals } from '../../support/day-totals.js';
import { MOVED_ZONE, OWN_ZONES, useMovedShop } from '../../support/moved-shop.js';
import { paidOrder } from '../../support/paid-order.js';
import { serviceEnvironment } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

/** The first half hour of the 26th, which the clock of before had as the last of the 25th. */
const EARLY = '2026-11-26T00:30:00-07:00';
const order = (id: string, fields: object = {}): object =>
  paidOrder(id, {
    currency: 'CAD',
    placed_at: EARLY,
    updated_at: '2026-11-27T20:00:00Z',
    total: '100.25',
    tax: '5.25',
    checkout_token: `token ${id}`,
    line_items: [{ line_id: '1', quantity: '2', unit_price: '47.5', sku: 'A', unit_cost: '10.125', title: 'Ä' }],
    ...fields,
  });
const refund = (id: string, at: string): object => ({
  refund_id: id,
  refunded_at: at,
  total: '20.5',
  line_items: [{ line_id: '1', quantity: '1', restock: true }],
});

describe('orders on the days of an earlier release of the time zones', () => {
  const moved = useMovedShop();
  const { push, check, mend, audit, rows, daily, clocksRenewed } = moved;

  it('are listed with their amounts, move once with all that they hold, and are restated with the cause clock', async () => {
    await push(
      order('moves', {
        refunds: [refund('r1', '2026-11-27T00:15:00-07:00'), refund('r2', '2026-11-27T12:00:00-07:00')],
      }),
      order('stays', { placed_at: '2026-11-26T12:00:00-07:00', refunds: [refund('r3', '2026-11-27T00:15:00-07:00')] }),
      order('voided', { status: 'voided' }),
      order('deleted'),
      order('noon', { placed_at: '2026-11-25T12:00:00-07:00' }),
    );
    await push(order('deleted', { updated_at: '2026-11-27T21:00:00Z', deleted: true }));
    await moved.service.settled();
    const credit = {
      shop_id: moved.shop.id,
      order_id: 'moves',
      version: 7,
      last_touch: 'google_ads',
      first_touch: 'google_ads',
    };
    await moved.service.stores.warehouse.insert('order_attribution', [
      {
        ...credit,
        placed_day: '2026-11-25',
        touches: 1,
        'linear.channel': ['google_ads'],
        'linear.evidence': ['proved'],
        'linear.campaign': [''],
        'linear.touches': [1],
      },
    ]);
    expect(await check()).to.deep.equal([]);
    const content =
      'SELECT * EXCEPT (placed_day, version, `refunds.refunded_day`) FROM orders FINAL WHERE shop_id = {shop:String} ORDER BY order_id';
    const stored = await rows(content);
    expect(await daily()).to.deep.equal([
      '2026-11-25 2 200.50 0.00 40.50',
      '2026-11-26 1 100.25 41.00 0.00',
      '2026-11-27 0 0.00 20.50 -10.125',
    ]);

    await moved.restart();
    expect(await check()).to.deep.equal([
      'shop order moves: 2026-11-25 -> 2026-11-26, 100.25 CAD',
      'shop order moves, refund r1: 2026-11-26 -> 2026-11-27, 20.50 CAD',
      'shop order voided: 2026-11-25 -> 2026-11-26, 100.25 CAD (in no figure)',
      'shop order stays, refund r3: 2026-11-26 -> 2026-11-27, 20.50 CAD',
      `shop: 3 orders, with sales of 100.25 and refunds of 41.00 CAD on other days by ${MOVED_ZONE} of 2026f`,
    ]);
    await clocksRenewed();
    expect(await mend()).to.deep.equal({ moved: 3, left: 0 });
    expect(await daily()).to.deep.equal([
      '2026-11-25 1 100.25 0.00 20.25',
      '2026-11-26 2 200.50 0.00 40.50',
      '2026-11-27 0 0.00 61.50 -30.375',
    ]);
    expect(await check()).to.deep.equal([]);
    expect(await rows(content)).to.deep.equal(stored);
    expect(await audit()).to.equal(0);
    const days = ['2026-11-25', '2026-11-26', '2026-11-27'];
    await checkDayTotals(moved.service.stores.warehouse, moved.shop.id, ['2026-11-24', '2026-11-28'], days);
    const { body } = await moved.shop.call('GET', '/v1/restatements?from=2026-11-24&to=2026-11-28&limit=200');
    const moves = body.restatements.filter(({ causes }: any) => causes.some(({ kind }: any) => kind === 'clock'));
    expect(moves.flatMap(({ causes }: any) => causes)).to.satisfy((causes: any[]) =>
      causes.every(({ kind, receipts }) => kind === 'clock' && receipts === undefined),
    );
    const changes = moves.map(({ date, figure, before, after }: any) => `${date} ${figure} ${before} -> ${after}`);
    expect(changes).to.include.members([
      '2026-11-25 revenue 200.50 -> 100.25',
      '2026-11-25 orders 2 -> 1',
      '2026-11-26 revenue 100.25 -> 200.50',
      '2026-11-26 refunds 41.00 -> 0.00',
      '2026-11-27 refunds 20.50 -> 61.50',
    ]);
    const grouped = (await moved.shop.call('GET', '/v1/restatements?from=2026-11-24&to=2026-11-28&group=cause')).body
      .causes;
    expect(grouped.map(({ kind }: any) => kind)).to.include('clock');
    // It keeps its credit on its new day, and no push was logged for it.
    const { channels } = (await moved.shop.call('GET', '/v1/attribution?from=2026-11-26&to=2026-11-26')).body;
    expect(channels.find(({ channel }: any) => channel === 'google_ads')).to.include({ revenue: '100.25' });
    expect(
      await rows('SELECT toUInt32(sum(accepted)) AS n FROM ingest_log FINAL WHERE shop_id = {shop:String}'),
    ).to.deep.equal([{ n: 6 }]);

    const before = await rows('SELECT order_id, version FROM orders FINAL WHERE shop_id = {shop:String} ORDER BY ALL');
    expect(await mend()).to.deep.equal({ moved: 0, left: 0 });
    expect(
      await rows('SELECT order_id, version FROM orders FINAL WHERE shop_id = {shop:String} ORDER BY ALL'),
    ).to.deep.equal(before);
  }).timeout(120_000);

  it('wait for what was pushed before, and stay where a job that failed holds a push of them', async () => {
    await push(order('pushed'), order('failed'), order('other'));
    await moved.service.settled();
    await moved.restart({ workers: false });
    expect(String(await mend().catch((error: unknown) => error))).to.include(
      'another release of the time zones than 2026f',
    );
    const workers = moved.service.startWorkers();
    await clocksRenewed();
    await workers.stop();

    // Of the same version, so that the later arrival counts.
    const less = { total: '5', line_items: [{ line_id: '1', quantity: '1', unit_price: '5' }], tax: undefined };
    await push(order('failed', less));
    const { redis } = moved.service.stores;
    const [failing] = await reservationsOf(redis, moved.shop.id);
    const job = JSON.parse((await redis.hget(failing?.jobKey ?? '', 'data')) ?? '') as object;
    await redis.hset(failing?.jobKey ?? '', 'data', JSON.stringify({ ...job, rows: 'damaged' }));
    await push(order('pushed', less));
    let isDone = false;
    const mended = mend().finally(() => (isDone = true));
    await sleep(500);
    expect(isDone).to.equal(false);
    moved.service.startWorkers();
    expect(await mended).to.deep.equal({ moved: 1, left: 1 });
    await moved.service.settled();
    const stored = await rows(
      'SELECT order_id, toString(placed_day) AS day, toString(total) AS total FROM orders FINAL WHERE shop_id = {shop:String} ORDER BY order_id',
    );
    expect(stored).to.deep.equal([
      { order_id: 'failed', day: '2026-11-25', total: '100.25' },
      { order_id: 'other', day: '2026-11-26', total: '100.25' },
      { order_id: 'pushed', day: '2026-11-26', total: '5' },
    ]);
  }).timeout(120_000);

  it('move exactly once while pushes come in and the command is killed', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `o${i}`);
    for (const chunk of inChunks(ids, 250)) await push(...chunk.map((id) => order(id)));
    await moved.service.settled();
    await moved.restart();
    await clocksRenewed();

    const run = { ...(await serviceEnvironment()), ZONES_FILE: OWN_ZONES };
    const over = new AbortController();
    const latest = new Map<string, string>();
    const pushes = (async () => {
      for (let n = 1; !over.signal.aborted; n++) {
        const price = `${n}.5`;
        // Of the version that is stored, so that its arrival decides.
        const some = Array.from({ length: 10 }, (_, i) => `o${(n * 61 + i * 59) % ids.length}`);
        const lines = {
          total: price,
          tax: undefined,
          line_items: [{ line_id: '1', quantity: '1', unit_price: price }],
        };
        await push(...some.map((id) => order(id, lines)));
        for (const id of some) latest.set(id, price);
        await sleep(200);
      }
    })();
    const moves = async (): Promise<number> =>
      (await rows('SELECT 1 FROM clock_moves WHERE shop_id = {shop:String}')).length;
    const killed = await runCommand(['days', 'mend', '--shop', moved.shop.id], run, async () => (await moves()) > 0);
    expect(killed.status, killed.err).to.equal(null);
    const { status, out, err } = await runCommand(['days', 'mend', '--shop', moved.shop.id], run);
    over.abort();
    await pushes;
    expect(status, err).to.equal(0);
    expect(out).to.match(/ orders moved\n$/);
    await moved.service.settled();
    expect(await mend()).to.deep.equal({ moved: 0, left: 0 });
    const checked = await runCommand(['days', 'check', '--shop', moved.shop.id], run);
    expect(checked).to.deep.include({ status: 0, out: 'no order would count on another day\n' });

    const stored = await rows(
      'SELECT order_id, toString(placed_day) AS day, toString(total) AS total FROM orders FINAL WHERE shop_id = {shop:String}',
    );
    expect(stored.length).to.equal(ids.length);
    for (const { order_id, day, total } of stored)
      expect(`${day} ${total}`, order_id).to.equal(`2026-11-26 ${latest.get(order_id) ?? '100.25'}`);
    expect((await daily()).map((line) => line.split(' ').slice(0, 2).join(' '))).to.include.members([
      '2026-11-25 0',
      '2026-11-26 300',
    ]);
    expect(await audit()).to.equal(0);
  }).timeout(240_000);
});
