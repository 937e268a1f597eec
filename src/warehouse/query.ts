import { Type, type Static, type TObject, type TProperties, type TSchema, type TString } from 'typebox';

/** Values of query parameters (`{name:Type}` in the SQL). */
export type QueryParams = Record<string, string | number | string[] | number[]>;

/** SQL under the name that it has in logs, metrics and the simulation. */
export interface Statement {
  name: string;
  sql: string;
  params?: QueryParams | undefined;
}

/** A `SELECT` and the schema of its rows, by which tests check what comes back. */
export interface Query<Row> extends Statement {
  rows: TObject;
  /** Carries the type of a row; never set. */
  row?: Row;
}

/** Gives the query when it is called with SQL and parameters. */
export type DefinedQuery<Row> = (sql: string, params?: QueryParams) => Query<Row>;

export function defineQuery<Columns extends TProperties>(name: string, columns: Columns): DefinedQuery<Row<Columns>> {
  const rows = Type.Object(columns, { additionalProperties: false });
  return (sql, params) => ({ name, sql, params, rows });
}

/** The type of a row of these columns. */
export type Row<Columns extends TProperties> = Static<TObject<Columns>>;

/** The type of a row of a defined query. */
export type RowOf<Defined> = Defined extends DefinedQuery<infer Row> ? Row : never;

/** Columns of texts: strings, decimals, days and 64-bit integers. */
export function texts<Name extends string>(...names: readonly Name[]): Record<Name, TString> {
  return Object.fromEntries(names.map((name) => [name, Type.String()])) as Record<Name, TString>;
}

/** A column of texts, one of a few. */
export const textOf = <Text extends string>() => Type.Unsafe<Text>(Type.String());

export const nullable = <Column extends TSchema>(column: Column) => Type.Union([column, Type.Null()]);
