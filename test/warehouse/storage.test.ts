import { expect } from 'chai';
import type { Warehouse } from '../../src/warehouse/client.js';
import { ownDatabase } from '../support/database.js';

const database = 'storage_test';
const ORDERS = 2_000;

/** Parts this large have a file for each column. */
const WIDE = 'SETTINGS min_bytes_for_wide_part = 0, min_rows_for_wide_part = 0';

describe('storage', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;

  before(async () => {
    ({ warehouse, drop } = await ownDatabase(database));
  });
  after(() => drop());

  it('compresses every table by the default of the server', async () => {
    await warehouse.command(
      `INSERT INTO order_keys (shop_id, order_id, day, version, is_deleted) SELECT 'shop', toString(number), '2026-01-01', number, 0 FROM numbers(${ORDERS})`,
    );
    const rows = await warehouse.query<{ codec: string }>(
      `SELECT DISTINCT default_compression_codec AS codec FROM system.parts WHERE database = '${database}' AND active`,
    );
    expect(rows).to.deep.equal([{ codec: 'ZSTD(3)' }]);
  });

  it('keeps times of whole seconds in less than half of their bytes', async () => {
    await warehouse.command(`CREATE TABLE wide AS orders ENGINE = MergeTree ORDER BY order_id ${WIDE}`);
    await warehouse.command(
      `INSERT INTO wide (order_id, placed_at) SELECT toString(number),
         fromUnixTimestamp64Micro(toInt64(1767225600000000 + (number * 60 + cityHash64(number) % 600) * 1000000), 'UTC')
       FROM numbers(${ORDERS})`,
    );
    const [column] = await warehouse.query<{ bytes: number }>(
      `SELECT toUInt32(data_compressed_bytes) AS bytes FROM system.columns
       WHERE database = '${database}' AND table = 'wide' AND name = 'placed_at'`,
    );
    expect(column?.bytes).to.be.lessThan((ORDERS * 8) / 2);
  });

  it('takes the version of an order out of that of its row', async () => {
    await warehouse.command(
      `INSERT INTO order_facts (shop_id, day, order_id, version)
       SELECT 'shop', '2026-01-01', '1', bitOr(bitShiftLeft(toUInt256('32592575621351777380295131014550050577'), 64), toUInt256(7))`,
    );
    const rows = await warehouse.query<{ version: string }>(
      'SELECT toString(order_version) AS version FROM order_facts',
    );
    expect(rows).to.deep.equal([{ version: '32592575621351777380295131014550050577' }]);
  });

  it('reads a visitor, or what names an order, from the months in which it was there', async () => {
    const months = 12;
    const moment = `toDateTime64(subtractMonths(toStartOfMonth(now()), number % ${months}), 3, 'UTC')`;
    const reads = { visitor_events: 'anon_id', event_links: 'subject' };
    for (const [table, column] of Object.entries(reads)) {
      await warehouse.command(
        `INSERT INTO ${table} (shop_id, ${column}, event_id, ts, received_at)
         SELECT 'shop', hex(sipHash64(number)), toString(number), ${moment}, ${moment} FROM numbers(${months * ORDERS})`,
      );
      const rows = await warehouse.query<{ explain: string }>(
        `EXPLAIN indexes = 1 SELECT * FROM ${table} FINAL WHERE (shop_id, ${column}) IN (('shop', hex(sipHash64(toUInt64(4)))))`,
      );
      const parts = rows.map(({ explain }) => explain.trim()).filter((line) => line.includes('Parts: '));
      expect(parts.at(-1), table).to.match(new RegExp(`Parts: 1/${months}`));
    }
  });
});
