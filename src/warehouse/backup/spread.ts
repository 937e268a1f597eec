import { clickhouseFolder } from '../../paths.js';
import { createWarehouse, type Warehouse } from '../client.js';
import { distribute, localDatabase, way } from '../cluster/distribute.js';
import { FOLLOWS, HOME, SHARES, shardOf } from '../cluster/placement.js';
import type { RowServer, RowServers } from '../cluster/row-servers.js';
import { createDatabase, migrate } from '../migrations/migrations.js';
import { computeShares } from './compute-shares.js';
import {
  columnsOf,
  finalTable,
  fromTable,
  piecesTable,
  SHARE_HISTORIES,
  sharesTable,
  type ShareTables,
} from './share-histories.js';
import { dropDatabase } from './snapshot.js';
import { contentOnAll, insertNative, isEverywhere, putInPlace, type Staging } from './staging.js';
import { contentOf, sumOf, type Content, type StoredTable } from './tables.js';

export interface SpreadOptions {
  /** Shards of the backup. */
  from: number;
  /** The newest arrival stamp of the backup: that of all that is computed here. */
  stamp: number;
}

/**
 * Staging for another number of shards than the backup is of. It is a second deployment on the same servers, with the views that
 * compute shares and no others: rows are placed as they would be if they were written now, each shard computes what they come
 * to, and the past of the shares is put together (`share-histories.ts`). What an earlier try left there is dropped.
 */
export async function createSpread(
  servers: RowServers,
  tables: readonly StoredTable[],
  { from, stamp }: SpreadOptions,
): Promise<Staging> {
  const names = spreadNames(servers);
  const { local, all } = names;
  requireKnownColumns(tables);
  await dropSpread(servers);
  await Promise.all(servers.all.map((server) => bringUp(servers, server, names, tables)));
  await Promise.all(servers.all.map((server) => addWays(servers, server, names, from)));
  const [first] = servers.holders;
  if (first === undefined) throw new RangeError('there is no server');
  const historyOf = ({ name }: StoredTable) => SHARE_HISTORIES.find(({ table }) => table === name);

  return {
    async load(table, shard, rows) {
      const history = historyOf(table);
      // All else of the shares is computed anew.
      if (history === undefined && SHARES.includes(table.name)) return;
      if (isEverywhere(table) && shard !== 1) return;
      const name = history === undefined ? table.name : fromTable(history, shard);
      await insertNative(first.warehouse, `${all}.${name}`, table, rows);
    },
    async contentOf(table) {
      const history = historyOf(table);
      if (history === undefined) return SHARES.includes(table.name) ? null : contentOnAll(servers, local, table);
      const contents: Content[] = [];
      for (const { warehouse } of servers.holders) {
        for (let shard = 1; shard <= from; shard++)
          contents.push(await contentOf(warehouse, local, { ...table, name: fromTable(history, shard) }));
      }
      return sumOf(contents);
    },
    compute: (options) => computeShares(servers, names, { ...options, from, stamp }),
    putInPlace: (table) => putSpreadInPlace(servers, table),
    drop: () => dropSpread(servers),
  };
}

function spreadNames({ database, cluster }: RowServers): ShareTables {
  const all = `${database}_restore`;
  return { all, local: cluster === undefined ? all : localDatabase(all) };
}

/** Of staging that another process has filled, too. */
export async function putSpreadInPlace(servers: RowServers, table: StoredTable): Promise<void> {
  const { local } = spreadNames(servers);
  await Promise.all(
    servers.all.map(({ warehouse }) => putInPlace(warehouse, { at: local, into: servers.rows, table })),
  );
}

export async function dropSpread(servers: RowServers): Promise<void> {
  const { local, all } = spreadNames(servers);
  for (const { warehouse } of servers.all)
    for (const name of new Set([all, local])) await dropDatabase(warehouse, name);
}

/** A column that a migration adds must not be left behind. */
function requireKnownColumns(tables: readonly StoredTable[]): void {
  for (const history of SHARE_HISTORIES) {
    const known = columnsOf(history).sort().join(', ');
    const found = [...(tables.find(({ name }) => name === history.table)?.columns ?? [])].sort().join(', ');
    if (known !== found) throw new RangeError(`${history.table} has the columns ${found}, and not ${known}`);
  }
}

/** The tables of one server, as migrations make them. */
async function bringUp(
  { cluster, shards }: RowServers,
  { url, warehouse: admin }: RowServer,
  { local, all }: ShareTables,
  tables: readonly StoredTable[],
): Promise<void> {
  const options = { database: local, folder: clickhouseFolder('migrations') };
  const warehouse = createWarehouse({ url, database: local });
  try {
    await createDatabase(admin, options);
    await migrate(warehouse, options);
    await dropOtherViews(warehouse, local);
    for (const { name, hasTtl } of tables) if (hasTtl) await warehouse.command(`ALTER TABLE ${name} REMOVE TTL`);
    if (cluster === undefined) return;
    await createDatabase(admin, { ...options, database: all });
    await distribute(warehouse, { database: all, cluster, shards });
  } finally {
    await warehouse.close();
  }
}

/** Those that write anything but shares would write what is loaded too. */
async function dropOtherViews(warehouse: Warehouse, database: string): Promise<void> {
  const views = await warehouse.query<{ name: string; target: string }>(
    `SELECT name, extract(create_table_query, ' TO [^ .]+\\\\.([a-z_]+)') AS target FROM system.tables
     WHERE database = {database:String} AND engine = 'MaterializedView'`,
    { database },
  );
  for (const { name, target } of views) if (!SHARES.includes(target)) await warehouse.command(`DROP VIEW ${name} SYNC`);
}

/** Tables for the shares of each shard of the backup, and the ways to them. */
async function addWays(
  { cluster, shards }: RowServers,
  { warehouse }: RowServer,
  { local, all }: ShareTables,
  from: number,
): Promise<void> {
  const add = async (table: string, shard: string): Promise<void> => {
    if (cluster !== undefined) await warehouse.command(way(table, shard, { database: all, cluster }));
  };
  const home = shardOf(HOME, shards);
  for (const [table, key] of Object.entries(FOLLOWS)) await add(table, shardOf(key, shards));
  for (const history of SHARE_HISTORIES) {
    for (let shard = 1; shard <= from; shard++) {
      await warehouse.command(`CREATE TABLE ${local}.${fromTable(history, shard)} AS ${local}.${history.table}`);
      await add(fromTable(history, shard), home);
    }
    const like = (name: string, column: string): Promise<void> =>
      warehouse.command(
        `CREATE TABLE ${local}.${name} ENGINE = MergeTree ORDER BY shop_id AS SELECT *, ${column} FROM ${local}.${history.table} LIMIT 0`,
      );
    await like(piecesTable(history), 'toUInt64(0) AS began');
    await like(sharesTable(history), 'toUInt32(0) AS shard');
    await add(sharesTable(history), home);
    await like(finalTable(history), 'toUInt32(0) AS shard');
    await add(finalTable(history), 'shard - 1');
  }
}
