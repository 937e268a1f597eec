import { expect } from 'chai';
import type { Warehouse } from '../../src/warehouse/client.js';
import { isAnswered, isDataError } from '../../src/warehouse/failures.js';
import { columns, headOf } from '../../src/warehouse/columns/columns.js';
import { EVENT_HEAD } from '../../src/warehouse/columns/events.js';
import { jsonRows, NO_HEAD } from '../../src/warehouse/columns/json-rows.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../src/warehouse/columns/orders.js';
import { RowBinaryWriter } from '../../src/warehouse/columns/row-binary.js';
import { insertRows, type EncodedRows } from '../../src/warehouse/insert-rows.js';
import { useService } from '../support/service.js';

const rows = (text: string): Buffer => Buffer.from(text);

describe('statements of an insert', () => {
  /** Every statement with its bytes. */
  const written = async (parts: EncodedRows[]): Promise<string[][]> => {
    const all: string[][] = [];
    const insertBytes: Warehouse['insertBytes'] = ({ sql }, bytes) => {
      all.push([sql, bytes.toString()]);
      return Promise.resolve();
    };
    await insertRows({ insertBytes }, 'product_costs', parts);
    return all;
  };
  const headWith = (...names: string[]): Buffer => headOf({ names, types: names.map(() => 'String') });

  it('are one for all rows of the same columns, and one more for those of another release', async () => {
    const today = headWith('shop_id', 'sku');
    const later = headWith('shop_id', 'sku', 'supplier');
    const into = 'INSERT INTO product_costs';
    expect(
      await written([
        { head: today, rows: rows('a') },
        { head: later, rows: rows('b') },
        { head: today, rows: rows('') },
        { head: today, rows: rows('c') },
        { head: NO_HEAD, rows: rows('{}\n') },
      ]),
    ).to.deep.equal([
      [`${into} (shop_id, sku) FORMAT RowBinaryWithNamesAndTypes`, `${today.toString()}ac`],
      [`${into} (shop_id, sku, supplier) FORMAT RowBinaryWithNamesAndTypes`, `${later.toString()}b`],
      [
        `${into} SETTINGS input_format_skip_unknown_fields = 0, input_format_null_as_default = 0 FORMAT JSONEachRow`,
        '{}\n',
      ],
    ]);
  });

  it('are none for a head that is damaged', async () => {
    const heads = [headWith('sku) SELECT 1 --'), headWith(''), headWith('sku').subarray(0, 3), rows('\u0003')];
    for (const head of heads) {
      const failure: unknown = await written([{ head, rows: rows('a') }]).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(RangeError);
    }
  });
});

describe('rows with their columns', () => {
  const service = useService({ workers: false });

  /** What the server says to a row whose columns have this value. */
  const insert = async (...list: Parameters<typeof columns<string>>[0]): Promise<unknown> => {
    const table = columns<string>([['shop_id', 'String', () => 'insert-rows'], ...list]);
    const writer = new RowBinaryWriter();
    table.write(writer, 'value');
    const part = { head: headOf(table), rows: writer.bytes() };
    return insertRows(service.stores.warehouse, 'product_costs', [part]).catch((error: unknown) => error);
  };

  it('are declared as the tables declare them', async () => {
    for (const [table, head] of [
      ['orders', ORDERS_HEAD],
      ['order_days', ORDER_DAYS_HEAD],
      ['events', EVENT_HEAD],
    ] as const) {
      const declared = await service.stores.warehouse.query<{ name: string; type: string }>(
        `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table:String}
         AND default_kind IN ('', 'DEFAULT')`,
        { table },
      );
      const types = new Map(declared.map(({ name, type }) => [name, type]));
      const { names, types: own } = readHead(head);
      expect(Object.fromEntries(names.map((name, i) => [name, own[i]])), table).to.deep.equal(
        Object.fromEntries(names.map((name) => [name, types.get(name)])),
      );
      expect([...names].sort(), table).to.deep.equal([...types.keys()].sort());
    }
  });

  it('leave a column that they do not name to its default', async () => {
    expect(await insert(['sku', 'String', (text) => text])).to.equal(undefined);
    const stored = await service.stores.warehouse.query(
      `SELECT sku, unit_cost, version FROM product_costs WHERE shop_id = 'insert-rows'`,
    );
    expect(stored).to.deep.equal([{ sku: 'value', unit_cost: '0', version: '0' }]);
  });

  it('are refused for good where a type is not the column’s, and for now where the column is still to come', async () => {
    const mistyped = await insert(['sku', 'UInt64', () => 7]);
    expect(isDataError(mistyped)).to.equal(true);
    const early = await insert(['supplier', 'String', (text) => text]);
    expect(isDataError(early)).to.equal(false);
    expect(isAnswered(early)).to.equal(true);
    const unknown = [{ head: NO_HEAD, rows: jsonRows([{ shop_id: 'insert-rows', supplier: 'x' }]) }];
    const failure: unknown = await insertRows(service.stores.warehouse, 'product_costs', unknown).catch(
      (error: unknown) => error,
    );
    expect(isAnswered(failure)).to.equal(true);
  });

  it('are refused where they hold null for a column that holds none, and never written as 0', async () => {
    const { warehouse } = service.stores;
    const unknown = [{ shop_id: 'insert-rows', sku: 'of null', unit_cost: null }];
    const refusals: unknown[] = await Promise.all([
      warehouse.insert('product_costs', unknown).catch((error: unknown) => error),
      insertRows(warehouse, 'product_costs', [{ head: NO_HEAD, rows: jsonRows(unknown) }]).catch(
        (error: unknown) => error,
      ),
    ]);
    expect(refusals.map(isDataError)).to.deep.equal([true, true]);
    expect(await warehouse.query("SELECT sku FROM product_costs WHERE sku = 'of null'")).to.deep.equal([]);
  });
});

/** The names and types of a head: their number, then each with its length. */
function readHead(head: Buffer): { names: string[]; types: string[] } {
  const count = head.readUInt8(0);
  const texts: string[] = [];
  for (let offset = 1; offset < head.length;) {
    const end = offset + 1 + head.readUInt8(offset);
    texts.push(head.toString('utf8', offset + 1, end));
    offset = end;
  }
  return { names: texts.slice(0, count), types: texts.slice(count) };
}
