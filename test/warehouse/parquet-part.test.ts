import { expect } from 'chai';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { LAST_COLUMN, toParquetPart } from '../../src/warehouse/parquet-part.js';

const NAMES = ['id', LAST_COLUMN];

function fileOf(ids: readonly string[]): Buffer {
  const writer = new ByteWriter();
  const schema = [
    { name: 'root', num_children: NAMES.length },
    ...NAMES.map((name) => ({ name, type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const })),
  ];
  const file = new ParquetWriter({ writer, schema });
  const columnData = NAMES.map((name) => ({ name, data: ids.map((id) => `${name} ${id}`), offsetIndex: false }));
  if (ids.length > 0) void file.write({ columnData, rowGroupSize: ids.length });
  void file.finish();
  return Buffer.from(writer.getBytes());
}

describe('a part of a Parquet file', () => {
  it('has the rows without what stands behind them, and the last of that', async () => {
    const part = toParquetPart(fileOf(['a', 'b', 'c']));
    expect([part.rows, part.columns.map(({ path_in_schema: path }) => path.join())]).to.deep.equal([3, ['id']]);
    expect(part.schema.map(({ name }) => name)).to.deep.equal(['root', 'id']);
    expect(await part.last()).to.equal(`${LAST_COLUMN} c`);
    expect(Buffer.from(part.data).includes(LAST_COLUMN)).to.equal(false);
  });

  it('may have none', () => {
    const { rows, columns, data } = toParquetPart(fileOf([]));
    expect([rows, columns, data.length]).to.deep.equal([0, [], 0]);
  });

  it('is an error where the answer was cut anywhere', () => {
    const whole = fileOf(['a', 'b', 'c']);
    for (let end = 0; end < whole.length; end++) {
      expect(() => toParquetPart(whole.subarray(0, end)), String(end))
        .to.throw()
        .with.nested.property('errors[0].code', 'store_unavailable');
    }
  });
});
