import { expect } from 'chai';
import { RowBinaryWriter } from '../../src/warehouse/columns/row-binary.js';
import type { EventRow } from '../../src/domain/events/event.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import { createEventWriter, EVENT_HEAD } from '../../src/warehouse/columns/events.js';
import { insertRows } from '../../src/warehouse/insert-rows.js';
import { applyRetention } from '../../src/warehouse/migrations/retention.js';
import { ownDatabase } from '../support/database.js';

const database = 'retention_test';
const dayMs = 86_400_000;

const rowOf = (daysAgo: number): EventRow => ({
  event_id: `${daysAgo} days ago`,
  type: 'purchase',
  ts: Date.now() - daysAgo * dayMs,
  received_at: Date.now(),
  anon_id: 'v',
  session_hint: '',
  consent: 'analytics',
  order_id: '1',
  checkout_token: '',
  sdk: '',
  store_client_id: '',
  email_hash: '',
  product_id: '',
  sku: '',
  quantity: null,
  visit: {
    page: {
      url: '',
      host: '',
      path: '',
      clickIds: [],
      isPlain: false,
      utm: { source: '', medium: '', campaign: '', term: '', content: '', id: '' },
    },

    referrer: { url: '', host: '', isApp: false, isPlain: false },
    referrerClass: 'direct',
    channel: 'direct',
    evidence: 'ambiguous',
  },
});

describe('retention', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;

  before(async () => {
    ({ warehouse, drop } = await ownDatabase(database));
  });
  after(() => drop());

  it('is 400 days until it is set, and changes only what differs', async () => {
    expect(await applyRetention(warehouse, { database, eventDays: 400, historyDays: 400 })).to.deep.equal([]);
    const changed = await applyRetention(warehouse, { database, eventDays: 10, historyDays: 400 });
    expect(changed.sort()).to.deep.equal(['event_links', 'events', 'visitor_events']);
    expect(await applyRetention(warehouse, { database, eventDays: 10, historyDays: 400 })).to.deep.equal([]);
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

  it('keeps a new event in every table for the longest time that the setting allows', async () => {
    await applyRetention(warehouse, { database, eventDays: 10_950, historyDays: 400 });
    const writer = new RowBinaryWriter();
    createEventWriter(writer)('shop', rowOf(0), Date.now() * 1000);
    await insertRows(warehouse, 'events', [{ head: EVENT_HEAD, rows: writer.bytes() }]);
    for (const table of ['events', 'visitor_events', 'event_links']) {
      await warehouse.command(`OPTIMIZE TABLE ${table} FINAL`);
      const rows = await warehouse.query<{ event_id: string }>(
        `SELECT DISTINCT event_id FROM ${table} ORDER BY event_id`,
      );
      expect(rows, table).to.deep.include({ event_id: '0 days ago' });
    }
  });

  it('lets what stood in the past go once it is old, and never what stands', async () => {
    // The longest that the setting allows: what stands ends in a time that has to hold it on top.
    await applyRetention(warehouse, { database, eventDays: 10, historyDays: 3650 });
    const ended = (daysAgo: number): number => (Date.now() - daysAgo * dayMs) * 1000;
    await warehouse.command(
      `INSERT INTO settings_history (shop_id, valid_until, computed_at)
       VALUES ('new', ${ended(9)}, 1), ('old', ${ended(11)}, 1), ('stands', 18446744073709551615, 1)`,
    );
    const kept = async (): Promise<string[]> => {
      await warehouse.command('OPTIMIZE TABLE settings_history FINAL');
      const rows = await warehouse.query<{ shop_id: string }>('SELECT shop_id FROM settings_history ORDER BY shop_id');
      return rows.map((row) => row.shop_id);
    };
    expect(await kept()).to.deep.equal(['new', 'old', 'stands']);
    const changed = await applyRetention(warehouse, { database, eventDays: 10, historyDays: 10 });
    expect(changed).to.include('settings_history').and.to.have.length(4);
    expect(await kept()).to.deep.equal(['new', 'stands']);
  });
});
