import { expect } from 'chai';
import { RowBinaryWriter } from '../../src/warehouse/columns/row-binary.js';
import type { EventRow } from '../../src/domain/events/event.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { createEventWriter, EVENT_HEAD } from '../../src/warehouse/columns/events.js';
import { insertRows } from '../../src/warehouse/insert-rows.js';
import { createDatabase, migrate } from '../../src/warehouse/migrations/migrations.js';
import { applyRetention } from '../../src/warehouse/migrations/retention.js';
import { sharedEngines } from '../support/shared-engines.js';

const database = 'retention_test';
const dayMs = 86_400_000;

const rowOf = (daysAgo: number): EventRow => ({
  ...{ event_id: `${daysAgo} days ago`, type: 'purchase', ts: Date.now() - daysAgo * dayMs, received_at: Date.now() },
  ...{ anon_id: 'v', session_hint: '', consent: 'analytics', order_id: '1', checkout_token: '', sdk: '' },
  ...{ store_client_id: '', email_hash: '', product_id: '', sku: '', quantity: null },
  visit: {
    page: {
      ...{ url: '', host: '', path: '', clickIds: [], isPlain: false },
      utm: { source: '', medium: '', campaign: '', term: '', content: '', id: '' },
    },
    ...{
      referrer: { url: '', host: '', isApp: false, isPlain: false },
      referrerClass: 'direct',
      channel: 'direct',
      evidence: 'ambiguous',
    },
  },
});

describe('retention of events', () => {
  let warehouse: Warehouse;
  let admin: Warehouse;

  before(async () => {
    const { clickhouse } = await sharedEngines();
    const url = new URL(clickhouse.url);
    Object.assign(url, { username: clickhouse.username, password: clickhouse.password });
    admin = createWarehouse({ url: url.href, database: 'system' });
    const options = { database, folder: 'clickhouse/migrations' };
    await createDatabase(admin, options);
    warehouse = createWarehouse({ url: url.href, database });
    await migrate(warehouse, options);
  });
  after(async () => {
    await admin.command(`DROP DATABASE ${database}`);
    await Promise.all([admin.close(), warehouse.close()]);
  });

  it('is 400 days until it is set, and changes only what differs', async () => {
    expect(await applyRetention(warehouse, { database, days: 400 })).to.deep.equal([]);
    const changed = await applyRetention(warehouse, { database, days: 10 });
    expect(changed.sort()).to.deep.equal(['event_links', 'events', 'visitor_events']);
    expect(await applyRetention(warehouse, { database, days: 10 })).to.deep.equal([]);
  });

  it('lets old events go, from every table', async () => {
    const writer = new RowBinaryWriter();
    const write = createEventWriter(writer);
    for (const daysAgo of [9, 11]) write('shop', rowOf(daysAgo), Date.now() * 1000 + daysAgo);
    await insertRows(warehouse, 'events', [{ head: EVENT_HEAD, rows: writer.bytes() }]);
    for (const table of ['events', 'visitor_events', 'event_links']) {
      await warehouse.command(`OPTIMIZE TABLE ${table} FINAL`);
      const rows = await warehouse.query<{ event_id: string }>(`SELECT DISTINCT event_id FROM ${table}`);
      expect(
        rows.map((row) => row.event_id),
        table,
      ).to.deep.equal(['9 days ago']);
    }
  });
});
