import { expect } from 'chai';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';
import type { Column } from '../../../src/http/exports/columns.js';
import { toParquet } from '../../../src/http/exports/parquet.js';

const COLUMNS: Column[] = (['text', 'decimal', 'integer', 'boolean', 'day', 'timestamp'] as const).map((kind) => ({
  name: kind,
  kind,
  path: [kind],
}));

type Row = Record<string, unknown>;

async function fileOf(pages: readonly (readonly object[])[]): Promise<ArrayBuffer> {
  const parts: Buffer[] = [];
  const source = (async function* () {
    for (const page of pages) yield await Promise.resolve(page);
  })();
  for await (const part of toParquet(COLUMNS, source)) parts.push(part);
  return new Uint8Array(Buffer.concat(parts)).buffer;
}

/** Amounts as the bytes they are stored in, because the reader makes floats of decimals. */
async function read(file: ArrayBuffer): Promise<Row[]> {
  const metadata = parquetMetadata(file);
  const schema = metadata.schema.map((element) => (element.converted_type === 'DECIMAL' ? plain(element) : element));
  const rows: Row[] = await parquetReadObjects({
    file,
    metadata: { ...metadata, schema },
    utf8: false,
    parsers: { timestampFromMicroseconds: (micros) => micros, dateFromDays: (days) => days },
  });
  return rows.map((row) => ({
    ...row,
    decimal: row.decimal instanceof Uint8Array ? signed(row.decimal) : row.decimal,
  }));
}

function plain({ name, type, type_length, repetition_type }: SchemaElement): SchemaElement {
  return {
    name,
    ...(type !== undefined && { type }),
    ...(type_length !== undefined && { type_length }),
    ...(repetition_type !== undefined && { repetition_type }),
  };
}

/** A big-endian number in two's complement. */
function signed(bytes: Uint8Array): bigint {
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

const option = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);
const MOST = 10n ** 38n - 1n;
const rows = fc.array(
  fc.record({
    text: option(fc.string({ unit: 'grapheme' })),
    micros: option(fc.bigInt({ min: -MOST, max: MOST })),
    integer: option(fc.maxSafeInteger()),
    boolean: option(fc.boolean()),
    day: option(fc.integer({ min: 0, max: 65_378 })),
    instant: option(fc.integer({ min: 0, max: 4_000_000_000 })),
  }),
  { maxLength: 20 },
);

describe('Parquet', () => {
  it('gives back every value, to the last digit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { maxLength: 3 }), async (pages) => {
        const sent = pages.map((page) =>
          page.map(({ micros, day, instant, ...row }) => ({
            ...row,
            decimal: micros === null ? null : decimal(micros),
            day: day === null ? null : new Date(day * 86_400_000).toISOString().slice(0, 10),
            timestamp: instant === null ? null : `${new Date(instant * 1_000).toISOString().slice(0, -1)}456Z`,
          })),
        );
        const wanted = pages.flat().map(({ micros, integer, instant, ...row }) => ({
          ...row,
          decimal: micros,
          integer: integer === null ? null : BigInt(integer),
          timestamp: instant === null ? null : BigInt(instant) * 1_000_000n + 456n,
        }));
        expect(await read(await fileOf(sent))).to.deep.equal(wanted);
      }),
    );
  });

  it('has a group of rows a page, and tells what its columns are', async () => {
    const file = await fileOf([[{ text: 'a' }, {}], [], [{ text: 'b' }]]);
    const { row_groups: groups, schema, num_rows: count } = parquetMetadata(file);
    expect([count, groups.map((group) => group.num_rows)]).to.deep.equal([3n, [2n, 1n]]);
    expect(schema.slice(1).map(({ logical_type: meaning }) => meaning?.type)).to.deep.equal([
      'STRING',
      'DECIMAL',
      undefined,
      undefined,
      'DATE',
      'TIMESTAMP',
    ]);
  });

  it('refuses an amount that has more digits than it holds', async () => {
    const failure: unknown = await fileOf([[{ decimal: `${10n ** 32n}` }]]).catch((error: unknown) => error);
    expect(failure).to.have.nested.property('errors[0].code', 'not_acceptable');
    expect(await read(await fileOf([[{ decimal: decimal(-MOST) }]]))).to.have.nested.property('[0].decimal', -MOST);
  });
});

function decimal(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
