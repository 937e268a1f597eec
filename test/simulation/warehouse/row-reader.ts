import { toMicros } from '../../../src/domain/micros.js';
import { parseDay } from '../../../src/domain/time.js';

/** A row as it was written: decimals in millionths, days as numbers. */
export type Row = Record<string, unknown>;

export interface Insert {
  table: string;
  rows: Row[];
}

const BINARY = 'FORMAT RowBinaryWithNamesAndTypes';

/** Reads the bytes of an insert as ClickHouse does: by the names and types at their head, or as JSON, a row a line. */
export function readInsert(sql: string, bytes: Buffer): Insert {
  const [, table = ''] = /^INSERT INTO (\w+) /.exec(sql) ?? [];
  if (sql.endsWith('FORMAT JSONEachRow')) {
    const lines = bytes.toString().split('\n').filter(Boolean);
    return { table, rows: readJsonRows(lines.map((line) => JSON.parse(line) as Row)) };
  }
  if (!sql.endsWith(BINARY)) throw new Error(`an insert that the simulation does not know: ${sql.slice(0, 60)}`);
  const reader = new Reader(bytes);
  const names = Array.from({ length: reader.varint() }, () => reader.string());
  const columns = names.map((name): [string, string] => [name, reader.string()]);
  const rows: Row[] = [];
  while (!reader.isAtEnd()) rows.push(Object.fromEntries(columns.map(([name, type]) => [name, reader.value(type)])));
  return { table, rows };
}

const DAYS = new Set(['day', 'placed_day', 'event_date', 'effective_from']);
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?$/;
const AMOUNTS = new Set(['unit_cost', 'spend', 'amount']);

/** Rows of JSON: what their columns make of texts. */
export function readJsonRows(rows: readonly Row[]): Row[] {
  const read = (name: string, value: unknown): unknown => {
    if (name.endsWith('_at') && typeof value === 'string' && TIME.test(value)) return Date.parse(`${value}Z`);
    if (DAYS.has(name) && typeof value === 'string') return parseDay(value) ?? 0;
    return AMOUNTS.has(name) && typeof value === 'string' ? toMicros(value) : value;
  };
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, read(name, value)])));
}

class Reader {
  #at = 0;

  constructor(readonly bytes: Buffer) {}

  isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#uint(1);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  string(): string {
    const length = this.varint();
    this.#at += length;
    return this.bytes.toString('utf8', this.#at - length, this.#at);
  }

  value(type: string): unknown {
    switch (type) {
      case 'String':
      case 'LowCardinality(String)':
        return this.string();
      case 'UInt8':
      case 'Bool':
        return this.#uint(1);
      case 'Date':
        return this.#uint(2);
      case "DateTime64(3, 'UTC')":
      case "DateTime64(6, 'UTC')":
      case 'UInt64':
        return Number(this.#uint64());
      case 'UInt32':
        return this.#uint(4);
      case 'UInt128':
      case 'Decimal(38, 6)':
        return this.#words(2);
      case 'UInt256':
      case 'Decimal(76, 12)':
        return this.#words(4);
    }
    const inner = type.slice(type.indexOf('(') + 1, -1);
    if (type.startsWith('Array(')) return Array.from({ length: this.varint() }, () => this.value(inner));
    if (type.startsWith('Nullable(')) return this.#uint(1) === 1 ? null : this.value(inner);
    throw new Error(`a column whose type the simulation does not know: ${type}`);
  }

  #uint(size: number): number {
    this.#at += size;
    return this.bytes.readUIntLE(this.#at - size, size);
  }

  #words(count: number): bigint {
    const words = Array.from({ length: count }, () => this.#uint64());
    return words.reduceRight((high, low, i) => (high << 64n) + (i === count - 1 ? BigInt.asIntN(64, low) : low), 0n);
  }

  #uint64(): bigint {
    this.#at += 8;
    return this.bytes.readBigUInt64LE(this.#at - 8);
  }
}
