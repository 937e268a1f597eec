import { Type } from 'typebox';
import type { Warehouse } from '../client.js';
import { EVERYWHERE } from '../cluster/placement.js';
import type { RowServers } from '../cluster/row-servers.js';
import { quoted } from '../sql.js';
import { defineQuery, texts } from '../query.js';

/** A table of the service that holds rows. */
export interface StoredTable {
  name: string;
  /** Stored columns by name, without those that are computed on read. */
  columns: readonly string[];
  /** These with their types, as SQL. */
  structure: string;
  /** A ReplacingMergeTree: of several rows with one key the newest counts. */
  isReplacing: boolean;
  /** Rows expire. */
  hasTtl: boolean;
}

/** Tells whether tables have the same rows: the number of rows, and the sum of their hashes. */
export interface Content {
  rows: string;
  hash: string;
}

/** Rows of chunks together. */
export const countRows = (chunks: readonly { rows: number }[]): number =>
  chunks.reduce((sum, { rows }) => sum + rows, 0);

export const NOTHING: Content = { rows: '0', hash: '0' };

/** Every server holds all rows of the table. */
export const isEverywhere = ({ name }: StoredTable): boolean => EVERYWHERE.includes(name);

/** The log of migrations; never copied to another database. */
const MIGRATIONS = 'schema_migrations';
/** Tables that are written before there is any push: by a worker, and when the operator signs in. */
const WITHOUT_PUSHES = ['push_hours', 'access_log'];

const STORED_TABLES = defineQuery('stored tables', {
  name: Type.String(),
  columns: Type.Array(Type.String()),
  types: Type.Array(Type.String()),
  is_replacing: Type.Number(),
  has_ttl: Type.Number(),
});
const APPLIED_MIGRATIONS = defineQuery('applied migrations', texts('name', 'checksum'));
const FILLED_TABLES = defineQuery('filled tables', texts('name'));
const CONTENT = defineQuery('content of a table', texts('rows', 'hash'));

/** Every table that holds rows, by name, those of later migrations included. */
export async function storedTables(warehouse: Warehouse, database: string): Promise<StoredTable[]> {
  const rows = await warehouse.ask(
    STORED_TABLES(
      `SELECT t.name AS name, any(c.columns) AS columns, any(c.types) AS types, any(t.engine LIKE '%Replacing%') AS is_replacing,
       any(position(t.engine_full, ' TTL ') > 0) AS has_ttl
     FROM system.tables AS t
     INNER JOIN (
       SELECT table, arraySort(groupArray(name)) AS columns,
         arraySort((type, name) -> name, groupArray(type), groupArray(name)) AS types
       FROM system.columns
       WHERE database = {database:String} AND default_kind NOT IN ('ALIAS', 'MATERIALIZED') GROUP BY table
     ) AS c ON c.table = t.name
     WHERE t.database = {database:String} AND t.engine LIKE '%MergeTree' AND t.name != '${MIGRATIONS}'
     GROUP BY t.name ORDER BY t.name`,
      { database },
    ),
  );
  return rows.map(({ name, columns, types, is_replacing, has_ttl }) => ({
    name,
    columns,
    structure: columns.map((column, i) => `\`${column}\` ${types[i] ?? ''}`).join(', '),
    isReplacing: is_replacing === 1,
    hasTtl: has_ttl === 1,
  }));
}

/** The applied migrations, each with its checksum. */
async function appliedMigrations(warehouse: Warehouse, database: string): Promise<Record<string, string>> {
  const rows = await warehouse.ask(
    APPLIED_MIGRATIONS(
      `SELECT name, checksum FROM ${database}.${MIGRATIONS} FINAL WHERE match(name, '^[0-9]{3}_') ORDER BY name`,
    ),
  );
  return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

export interface Schema {
  /** The applied migrations, each with its checksum. */
  migrations: Record<string, string>;
  tables: StoredTable[];
}

/** The schema of the servers, which is the same on all. */
export async function schemaOf({ rows, holders: [first] }: RowServers): Promise<Schema> {
  if (first === undefined) throw new RangeError('there is no server');
  const { warehouse } = first;
  return { migrations: await appliedMigrations(warehouse, rows), tables: await storedTables(warehouse, rows) };
}

/** The tables of {@link storedTables} that hold any row. */
export async function filledTables(warehouse: Warehouse, database: string): Promise<string[]> {
  const rows = await warehouse.ask(
    FILLED_TABLES(
      `SELECT DISTINCT table AS name FROM system.parts
     WHERE database = {database:String} AND active AND rows > 0 AND table != '${MIGRATIONS}' ORDER BY name`,
      { database },
    ),
  );
  return rows.map(({ name }) => name).filter((name) => !WITHOUT_PUSHES.includes(name));
}

/**
 * The hash of a row in SQL. As one tuple: the hash of several arguments is null if one of them is null. SipHash takes 12 times as
 * long, 4.7 µs of a row of `orders`, and without a secret key it is no safer.
 */
export const rowHash = ({ columns }: StoredTable): string => `cityHash64(tuple(${quoted(columns)}))`;

/** The content of a table, of the rows that count. It does not depend on the parts that hold the rows, nor on replaced rows. */
export async function contentOf(warehouse: Warehouse, database: string, table: StoredTable): Promise<Content> {
  const [content] = await warehouse.ask(
    CONTENT(`SELECT toString(count()) AS rows, toString(sum(${rowHash(table)})) AS hash
     FROM ${database}.${table.name}${table.isReplacing ? ' FINAL' : ''}
     ${table.name === 'push_hours' ? `WHERE shop_id != ''` : ''}`),
  );
  return content ?? NOTHING;
}

/** The content of tables together that share no row. */
export const sumOf = (contents: readonly Content[]): Content => ({
  rows: contents.reduce((sum, { rows }) => sum + BigInt(rows), 0n).toString(),
  hash: BigInt.asUintN(
    64,
    contents.reduce((sum, { hash }) => sum + BigInt(hash), 0n),
  ).toString(),
});

/** The content of a table on all servers; of a table that is everywhere, that of any one. Throws a RangeError if these differ. */
export async function contentOnAll(
  servers: RowServers,
  table: StoredTable,
  contentThere: (warehouse: Warehouse) => Promise<Content>,
): Promise<Content> {
  const contents = await Promise.all(servers.holders.map(({ warehouse }) => contentThere(warehouse)));
  const [first] = contents;
  if (first === undefined || !isEverywhere(table)) return sumOf(contents);
  if (contents.some(({ hash }) => hash !== first.hash)) throw new RangeError(`the servers differ about ${table.name}`);
  return first;
}
