import { Big } from 'big.js';
import { expect } from 'chai';
import { day, MINUTE } from './attributed-shop.js';
import { analystsOf, type BiRow } from './bi-proxy.js';
import { mixedShop } from './mixed-shop.js';
import type { Service } from './service.js';
import { sharedBiProxy } from './shared-engines.js';

export type Api = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- answers of any read

const FROM = day(Date.now() - 100 * 1440 * MINUTE);
/** Today in the shop: the views accrue expenses until then. */
const TO = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format();
/** All days of the mixed shop. */
export const MIXED_RANGE = `from=${FROM}&to=${TO}`;

type Cell = string | number | boolean | null | undefined;

export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`;

export const sum = (rows: readonly Api[], name: string): string =>
  rows.reduce((all, row) => all.plus(row[name]), Big(0)).toFixed();

export const percent = (part: string | number, of: string | number): number | null =>
  Number(of) === 0 ? null : Big(part).div(of).times(100).round(2).toNumber();

/** Views round each day and order at the sixth decimal, so sums of them are compared at the fourth. */
const plain = (cell: Cell): string | null => {
  const text = cell === null || cell === undefined ? null : String(cell);
  return text !== null && /^-?[\d.]+$/.test(text) ? Big(text).round(4).toFixed() : text;
};
const sorted = (rows: readonly (readonly Cell[])[]): string[] =>
  rows.map((row) => JSON.stringify(row.map(plain))).sort();

/** A row for each of the keys: the key, and what its rows come to. */
export function grouped<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => Cell[],
  figuresOf: (group: Row[]) => Cell[],
): Cell[][] {
  const groups = new Map<string, { key: Cell[]; group: Row[] }>();
  for (const row of rows) {
    const key = keyOf(row);
    const { group } = groups.get(key.join()) ?? { group: [] };
    groups.set(key.join(), { key, group: [...group, row] });
  }
  return [...groups.values()].map(({ key, group }) => [...key, ...figuresOf(group)]);
}

/** Expects that the named columns of rows that a tool was answered are these, in any order. */
export function expectRows(
  rows: readonly Api[],
  columns: readonly string[],
  wanted: readonly (readonly Cell[])[],
): void {
  expect(wanted.length, 'something to compare').to.be.greaterThan(0);
  expect(sorted(rows.map((row) => columns.map((name) => row[name] as Cell)))).to.deep.equal(sorted(wanted));
}

export interface MixedAnalyst {
  ask(sql: string): Promise<BiRow[]>;
  /** Of the API. */
  read(path: string): Promise<Api>;
  /** Expects that the statement answers these rows; resolves to all that it answers. */
  same(sql: string, columns: readonly string[], wanted: readonly (readonly Cell[])[]): Promise<BiRow[]>;
}

/** The analyst of a new mixed shop, for the tests of the describe that calls this. */
export function useMixedAnalyst(service: Service): MixedAnalyst {
  const analyst = {} as MixedAnalyst;
  before(async () => {
    const { shop } = await mixedShop(service);
    const rows = analystsOf(service.stores, sharedBiProxy);
    const ask = (sql: string): Promise<BiRow[]> => rows(shop, sql);
    Object.assign(analyst, {
      ask,
      async read(path: string) {
        const { status, body } = await shop.call('GET', path);
        expect(status, JSON.stringify(body)).to.equal(200);
        return body as Api;
      },
      async same(sql, columns, wanted) {
        const answer = await ask(sql);
        expectRows(answer, columns, wanted);
        return answer;
      },
    } satisfies MixedAnalyst);
  });
  return analyst;
}
