import { setTimeout as sleep } from 'node:timers/promises';
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
/** Rows of a table whose days are seconds. */
const SHORT_LIVED = 30_000;
const TABLES = ['events', 'visitor_events', 'event_links'];

const rowOf = (daysAgo: number, eventId = `${daysAgo} days ago`): EventRow => ({
  event_id: eventId,
  type: 'purchase',
  ts: Date.now() - daysAgo * dayMs,
  received_at: Date.now() - daysAgo * dayMs,
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

  const writeEvents = async (rows: readonly EventRow[]): Promise<void> => {
    const writer = new RowBinaryWriter();
    const write = createEventWriter(writer);
    for (const row of rows) write('shop', row, row.received_at * 1000);
    await insertRows(warehouse, 'events', [{ head: EVENT_HEAD, rows: writer.bytes() }]);
  };

  /** Parts of the short-lived tables. Its level tells how often a row of a part was written again. */
  const shortLivedParts = () =>
    warehouse.query<{ partition: string; rows: number; level: number }>(
      `SELECT concat(table, ' ', partition_id) AS partition, toUInt32(rows) AS rows, level FROM system.parts
       WHERE database = '${database}' AND startsWith(table, 'short_lived_') AND active AND rows > 0`,
    );

  const makeShortLived = async (table: string): Promise<void> => {
    const [row] = await warehouse.query<{ sql: string }>(
      `SELECT create_table_query AS sql FROM system.tables WHERE database = '${database}' AND name = '${table}'`,
    );
    const short = (row?.sql ?? '')
      .replace(`${database}.${table}`, `${database}.short_lived_${table}`)
      .replace('toYYYYMM(received_at)', 'intDiv(toUnixTimestamp(received_at), 3)')
      .replace(/toIntervalDay\(\d+\)/, 'toIntervalSecond(15)');
    // Rows of a table expire in as many turns as these days have.
    await warehouse.command(`${short}, merge_with_ttl_timeout = 1`);
    await warehouse.command(
      `INSERT INTO short_lived_${table} (shop_id, event_id, ts, received_at)
       SELECT 'shop', hex(sipHash64(number)), now64(3) - toIntervalMillisecond(number * 14000 / ${SHORT_LIVED}) AS ts, ts
       FROM numbers(${SHORT_LIVED})`,
    );
  };

  it('is 400 days until it is set, and changes only what differs', async () => {
    expect(await applyRetention(warehouse, { database, eventDays: 400, historyDays: 400 })).to.deep.equal([]);
    const changed = await applyRetention(warehouse, { database, eventDays: 10, historyDays: 400 });
    expect(changed.sort()).to.deep.equal(['event_links', 'events', 'visitor_events']);
    expect(await applyRetention(warehouse, { database, eventDays: 10, historyDays: 400 })).to.deep.equal([]);
  });

  it('lets old events go, from every table', async () => {
    // Of different months.
    await writeEvents([rowOf(9), rowOf(45)]);
    for (const table of TABLES) {
      await warehouse.command(`OPTIMIZE TABLE ${table} FINAL`);
      const rows = await warehouse.query<{ event_id: string }>(`SELECT DISTINCT event_id FROM ${table}`);
      expect(
        rows.map((row) => row.event_id),
        table,
      ).to.deep.equal(['9 days ago']);
    }
  });

  it('counts an event once whose repeat came in a later month, as it came first', async () => {
    await applyRetention(warehouse, { database, eventDays: 400, historyDays: 400 });
    // Each of a month of its own, and none of that of the event of 9 days ago, with which its part would stay.
    await writeEvents([rowOf(80, 'repeated')]);
    await writeEvents([rowOf(40, 'repeated'), rowOf(0, 'repeated')]);
    for (const table of TABLES) {
      await warehouse.command(`OPTIMIZE TABLE ${table} FINAL`);
      const read = (final: string) =>
        warehouse.query<{ days: number }>(
          `SELECT DISTINCT toUInt32(dateDiff('day', ts, now())) AS days FROM ${table} ${final} WHERE event_id = 'repeated' ORDER BY days`,
        );
      expect(await read(''), table).to.deep.equal([{ days: 0 }, { days: 40 }, { days: 80 }]);
      expect(await read('FINAL'), table).to.deep.equal([{ days: 80 }]);
    }
    await applyRetention(warehouse, { database, eventDays: 10, historyDays: 400 });
    for (const table of TABLES) {
      await warehouse.command(`OPTIMIZE TABLE ${table} FINAL`);
      const rows = await warehouse.query(`SELECT ts FROM ${table} WHERE ts < now() - toIntervalDay(32)`);
      expect(rows, table).to.deep.equal([]);
    }
  });

  it('writes hardly a row again to let events go', async () => {
    // The tables, with seconds for days.
    await Promise.all(TABLES.map((table) => makeShortLived(table)));
    const lastSeen = new Map<string, { rows: number; level: number }>();
    for (let isLeft = true; isLeft;) {
      await sleep(200);
      const parts = await shortLivedParts();
      for (const part of parts) lastSeen.set(part.partition, part);
      isLeft = parts.length > 0;
    }
    const again = [...lastSeen.values()].map(({ rows, level }) => rows * level);
    expect(again).to.have.length.above(0);
    expect(again.reduce((sum, rows) => sum + rows, 0)).to.be.lessThan(2 * TABLES.length * SHORT_LIVED);
  });

  it('keeps a new event in every table for the longest time that the setting allows', async () => {
    await applyRetention(warehouse, { database, eventDays: 10_950, historyDays: 400 });
    await writeEvents([rowOf(0)]);
    for (const table of TABLES) {
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

  it('keeps of versions of a day that are old the last one, which held when the past begins', async () => {
    await applyRetention(warehouse, { database, eventDays: 10, historyDays: 3650 });
    const at = (daysAgo: number): number => (Date.now() - daysAgo * dayMs) * 1000;
    const put = async (shop: string, versions: readonly [daysAgo: number, computedAt: number, revenue: number][]) => {
      for (const [daysAgo, computedAt, revenue] of versions)
        await warehouse.command(
          `INSERT INTO daily_orders_history (shop_id, day, valid_from, computed_at, read_at, state, sums, estimable.payment_gateway,
             estimable.orders, estimable.revenue, uncosted_skus, spend.channel, spend.currency, spend.amount)
           VALUES ('${shop}', '2024-01-01', ${at(daysAgo)}, ${computedAt}, ${computedAt}, ${revenue}, map('revenue', ${revenue}),
             ['g${revenue}'], [${revenue}], [${revenue}], ['A${revenue}'], ['c${revenue}'], ['u${revenue}'], [${revenue}])`,
        );
    };
    await put('changed', [[90, 1, 1], [70, 2, 2], [50, 3, 3], [9, 4, 4], [5, 5, 5]]); // prettier-ignore
    await put('same', [[90, 1, 7], [70, 2, 7], [5, 3, 7]]); // prettier-ignore
    await put('slow', [[90, 2, 2], [70, 1, 1]]); // prettier-ignore
    await put('only', [[90, 1, 1]]);
    const kept = async (): Promise<unknown[]> => {
      await warehouse.command('OPTIMIZE TABLE daily_orders_history FINAL');
      const rows = await warehouse.query<Record<string, unknown>>(
        `SELECT shop_id, toUInt32(if(valid_from = 0, 0, dateDiff('day', toDateTime(intDiv(valid_from, 1000000)), now()))) AS ago,
           toUInt32(computed_at) AS computed, [toString(read_at), toString(state), toString(sums['revenue']),
             substring(estimable.payment_gateway[1], 2), toString(estimable.orders[1]), toString(estimable.revenue[1]),
             substring(uncosted_skus[1], 2), substring(spend.channel[1], 2), substring(spend.currency[1], 2),
             toString(spend.amount[1])] AS values
         FROM daily_orders_history ORDER BY shop_id, valid_from`,
      );
      return rows.map(({ shop_id, ago, computed, values }) => [
        shop_id,
        ago,
        computed,
        [...new Set(values as string[])],
      ]);
    };
    expect(await kept()).to.have.length(11);
    expect(await applyRetention(warehouse, { database, eventDays: 10, historyDays: 10 })).to.include(
      'daily_orders_history',
    );
    for (let turn = 0; turn < 2; turn++)
      expect(await kept()).to.deep.equal([
        ['changed', 0, 3, ['3']],
        ['changed', 9, 4, ['4']],
        ['changed', 5, 5, ['5']],
        ['only', 90, 1, ['1']],
        ['same', 90, 2, ['2', '7']],
        ['same', 5, 3, ['3', '7']],
        ['slow', 0, 2, ['2']],
      ]);
  });
});
