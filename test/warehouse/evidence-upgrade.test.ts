import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { createDatabase, migrate } from '../../src/warehouse/migrations/migrations.js';
import { createAttributionReader } from '../../src/warehouse/queries/attribution.js';
import { rebuildRollups } from '../../src/warehouse/queries/rollups.js';
import { parseDay } from '../../src/domain/time.js';
import { rebuildInOneStep } from '../support/earlier-database.js';
import { sharedEngines } from '../support/shared-engines.js';

const database = 'evidence_upgrade_test';
const folder = 'clickhouse/migrations';
const day = '2026-03-01';
let stamp = 1_000;
const takeStamps = (): Promise<number> => Promise.resolve(stamp++);

/** A warehouse that holds rows of before evidence was kept, brought to the newest schema. */
describe('credit of before evidence was kept', () => {
  let warehouse: Warehouse;
  let admin: Warehouse;
  let oldFolder: string;

  before(async () => {
    const { clickhouse } = await sharedEngines();
    const url = new URL(clickhouse.url);
    Object.assign(url, { username: clickhouse.username, password: clickhouse.password });
    admin = createWarehouse({ url: url.href, database: 'system' });
    oldFolder = await mkdtemp(join(tmpdir(), 'migrations-'));
    for (const file of await readdir(folder)) {
      if (file < '007') await cp(join(folder, file), join(oldFolder, file));
    }
    await createDatabase(admin, { database, folder });
    warehouse = createWarehouse({ url: url.href, database });
    await migrate(warehouse, { database, folder: oldFolder });
    const order = { shop_id: 'shop', order_id: 'o', version: 1, placed_day: day };
    await warehouse.insert('order_days', [{ ...order, day, orders: 1, revenue: '90', refunds: '30' }]);
    const linear = { 'linear.channel': ['email', 'google_ads'], 'linear.touches': [1, 2] };
    await warehouse.insert('order_attribution', [
      { ...order, last_touch: 'email', first_touch: 'google_ads', touches: 3, ...linear },
    ]);
    await warehouse.insert('events', [
      { shop_id: 'shop', event_id: 'e', anon_id: 'v', precedence: 1, ts: 1_772_323_200_000 },
    ]);
    await rebuildInOneStep(warehouse, [{ shopId: 'shop', day }], 1);
    await migrate(warehouse, { database, folder });
  });
  after(async () => {
    await admin.command(`DROP DATABASE ${database}`);
    await Promise.all([admin.close(), warehouse.close(), rm(oldFolder, { recursive: true })]);
  });

  const read = async (): Promise<unknown> => {
    const range = { from: parseDay(day), to: parseDay(day) };
    if (range.from === null || range.to === null) throw new Error('no day');
    const credits = await createAttributionReader(warehouse)('shop', { from: range.from, to: range.to }, 'linear');
    return [...credits]
      .map(([channel, { revenue, proved }]) => [channel, `${revenue.num}/${revenue.den}`, proved.revenue.num])
      .sort();
  };
  const asBefore = [
    ['email', '30/1', 0n],
    ['google_ads', '60/1', 0n],
  ];

  it('stays what it was and has no proved part', async () => {
    expect(await read()).to.deep.equal(asBefore);
    const [event] = await warehouse.query('SELECT toString(evidence) AS evidence FROM events');
    expect(event).to.deep.equal({ evidence: 'ambiguous' });
  });

  it('is summed up by the new rule from the old rows', async () => {
    await rebuildRollups(warehouse, [{ shopId: 'shop', day }], takeStamps);
    expect(await read()).to.deep.equal(asBefore);
    await warehouse.insert('order_attribution', [
      {
        shop_id: 'shop',
        order_id: 'o',
        version: 2,
        placed_day: day,
        last_touch: 'email',
        first_touch: 'google_ads',
        'linear.channel': ['email', 'google_ads'],
        'linear.touches': [1, 2],
        'linear.proved': [0, 1],
        touches: 3,
      },
    ]);
    await rebuildRollups(warehouse, [{ shopId: 'shop', day }], takeStamps);
    expect(await read()).to.deep.equal([asBefore[0], ['google_ads', '60/1', 30n]]);
  });
});
