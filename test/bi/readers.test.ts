import { expect } from 'chai';
import { ANSWER_SETTINGS } from '../../src/warehouse/bi/answer-settings.js';
import { readDictionary, type ViewEntry } from '../../src/warehouse/bi/dictionary.js';
import { attributedShop, iso, MINUTE } from '../support/attributed-shop.js';
import { fileReaderOf } from '../support/bi-proxy.js';
import {
  paddedTime,
  plainDecimal,
  readByArrow,
  readByDuckDb,
  readByHyparquet,
  readByParquetWasm,
  type Cell,
} from '../support/bi-readers.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const NOW = Date.now();
const MOST = '999999999999999.999999';
/** The types that every reader has. */
const HELD =
  /^(?:Nullable\()?(?:String|Bool|Date|DateTime64\([36], 'UTC'\)|Decimal\((?:\d|[12]\d|3[0-8]), \d+\)|Float64|UInt(?:8|16|32|64))\)?$|^Array\((?:String|UInt32)\)$/;

/** What a reader may write otherwise for the same value. */
function sameFor(type: string, cell: Cell): Cell {
  if (cell === null) return null;
  if (type.includes('Decimal')) return plainDecimal(cell);
  if (type.includes('DateTime64')) return paddedTime(cell);
  if (type.includes('Bool')) return String(cell === 'true' || cell === '1');
  if (type.includes('Float')) return String(Number(cell));
  return type.startsWith('Array') ? cell.replace(/["' ]/g, '') : cell;
}

describe('readers of files that bi answers', function () {
  this.timeout(180_000);
  const service = useService();
  let views: ViewEntry[];
  let read: Awaited<ReturnType<typeof fileReaderOf>>;

  before(async () => {
    views = await readDictionary('clickhouse/views/bi');
    const { shop, collect, pushOrder } = await attributedShop(service);
    const spend = { channel: 'meta', spend: '12.34', currency: 'EUR', date: iso(NOW).slice(0, 10) };
    await shop.call('POST', '/v1/costs/spend', { entries: [spend] });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'card', percent: '1.9', fixed: '0.3' }],
    });
    await collect(
      { type: 'page_view', ts: iso(NOW - 5 * MINUTE), url: 'https://shop.example.com/?gclid=1' },
      { type: 'purchase', order_id: 'sold', ts: iso(NOW - MINUTE), url: 'https://shop.example.com/thanks' },
    );
    const line = {
      line_id: '1',
      quantity: '3',
      unit_price: '33.333333',
      sku: 'A',
      title: 'Mug "big", 1\\2',
      unit_cost: '0.000001',
    };
    const refund = {
      refund_id: 'r',
      refunded_at: iso(NOW),
      total: '0.01',
      line_items: [{ line_id: '1', quantity: '1', restock: true }],
    };
    const sold = {
      order_id: 'sold',
      total: '99.999999',
      line_items: [line],
      payment_gateway: 'Card',
      customer: { id: 'c' },
    };
    await pushOrder({ ...sold, refunds: [refund] });
    // The widest amount that is shown, and the next one, which is not.
    for (const [order_id, quantity] of [
      ['widest', '9999999999'],
      ['wider', MOST],
    ] as const)
      await pushOrder({
        order_id,
        total: '0',
        line_items: [{ ...line, sku: order_id, quantity, unit_price: '0', unit_cost: MOST }],
      });
    await service.settled();
    read = await fileReaderOf(shop.id, await sharedBiProxy(), service.stores.warehouse, service.stores.shards.each);
  });

  it('find no type that one of them lacks, and no amount of more than 38 digits', () => {
    const odd = views.flatMap(({ name, columns }) =>
      columns.flatMap((column) => (HELD.test(column.type) ? [] : [`${name}.${column.name} ${column.type}`])),
    );
    expect(odd).to.deep.equal([]);
  });

  it('give each cell of each view as the engine writes it', async () => {
    let amounts = 0;
    for (const { name, columns } of views) {
      const sql = `SELECT * FROM bi.${name} ORDER BY ALL LIMIT 500`;
      const types = columns.map(({ type }) => type);
      const own = (await read(sql, 'JSONCompactEachRow', 'output_format_json_quote_64bit_integers=1')).toString();
      const engine = own
        .split('\n')
        .filter((row) => row !== '')
        .map((row) =>
          (JSON.parse(row) as (string | number | boolean | string[] | null)[]).map((cell) =>
            cell === null ? null : Array.isArray(cell) ? JSON.stringify(cell) : String(cell),
          ),
        );
      amounts += engine.flat().filter((cell) => cell?.includes('.') === true).length;
      const same = (rows: Cell[][]) => rows.map((row) => row.map((cell, i) => sameFor(types[i] ?? '', cell)));
      const parquet = await read(sql, 'Parquet');
      const readers = {
        'DuckDB, Parquet': await readByDuckDb(parquet, 'parquet'),
        'DuckDB, CSV': await readByDuckDb(await read(sql, 'CSVWithNames'), 'csv'),
        'parquet-wasm': readByParquetWasm(parquet),
        hyparquet: await readByHyparquet(await read(sql, 'Parquet', 'output_format_parquet_compression_method=snappy')),
        Arrow: readByArrow(await read(sql, 'ArrowStream', 'output_format_arrow_compression_method=none')),
      };
      for (const [reader, rows] of Object.entries(readers))
        expect(same(rows), `${name} by ${reader}`).to.deep.equal(same(engine));
    }
    expect(amounts).to.be.greaterThan(50);
    const shown = (
      await read(`SELECT sku, cost FROM bi.order_line_items WHERE cost IS NULL OR cost > 1000 ORDER BY sku`, 'TSV')
    ).toString();
    expect(shown).to.equal('wider\t\\N\nwidest\t9999999998999999999990000.000001\n');
  });

  it('may set the form of an answer, and no setting besides', async () => {
    const text = await read(
      `SELECT name, value FROM system.settings WHERE name IN (${Object.keys(ANSWER_SETTINGS)
        .map((name) => `'${name}'`)
        .join()})`,
      'JSONCompactEachRow',
    );
    const known = text
      .toString()
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => JSON.parse(row) as [string, string]);
    expect(known.map(([name]) => name).sort()).to.deep.equal(Object.keys(ANSWER_SETTINGS).sort());
    for (const [name, value] of known) await read('SELECT 1', 'TSV', new URLSearchParams({ [name]: value }).toString());
    for (const refused of [
      'format_schema=a',
      'output_format_schema=a',
      'format_template_row=a',
      'output_format_write_statistics=1',
      'format_avro_schema_registry_url=http://127.0.0.1',
      'output_format_parquet_row_group_size=1',
      'max_rows_to_read=0',
      'readonly=0',
    ]) {
      const fault = await read('SELECT 1', 'TSV', refused).catch((error: unknown) => String(error));
      expect(fault, refused).to.match(/should not be changed|shouldn't be|readonly mode|Cannot modify/);
    }
  });

  it('take days that do not exist for others, as the page of bi says', async () => {
    const days = `SELECT toDate('2026-12-01') BETWEEN '2026-11-01' AND '2026-11-31', toDate('1970-01-02') >= '2026-13-01'`;
    expect((await read(days, 'TSV')).toString()).to.equal('1\t1\n');
  });
});
