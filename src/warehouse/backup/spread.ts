import { clickhouseFolder } from '../../paths.js';
import { createWarehouse, type Warehouse } from '../client.js';
import { distribute, distributedOver, localDatabase } from '../cluster/distribute.js';
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
import { contentOnAll, insertNative, putInPlace, type Staging } from './staging.js';
import { contentOf, isEverywhere, sumOf, type Content, type StoredTable } from './tables.js';

export interface SpreadOptions {
  /** Shards of the backup. */
  from: number;
  /** The newest arrival stamp of the backup: that of all that is computed here. */
  stamp: number;
}

/**
 * Staging for a number of shards that differs from the backup's. It is a second deployment on the same servers, which has only the
 * views that compute shares. Rows are placed as new rows would be, each shard computes its shares from them, and the histories of the
 * shares are merged (`share-histories.ts`). What an earlier try left is dropped.
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
  await Promise.all(servers.all.map((server) => addShareTables(servers, server, names, from)));
  const [first] = servers.holders;
  if (first === undefined) throw new RangeError('there is no server');
  const historyOf = ({ name }: StoredTable) => SHARE_HISTORIES.find(({ table }) => table === name);

  return {
    async load(table, shard, rows) {
      const history = historyOf(table);
      // Other tables of shares are recomputed.
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

/** Works for staging that another process has filled, too. */
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

/** Throws a RangeError if a migration added a column that the statements would leave out. */
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
  const options = { database: local, folder: clickhouseFolder('schema') };
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

/** Drops views that write anything but shares: they would add to the rows that are loaded. */
async function dropOtherViews(warehouse: Warehouse, database: string): Promise<void> {
  const views = await warehouse.query<{ name: string; target: string }>(
    `SELECT name, extract(create_table_query, ' TO [^ .]+\\\\.([a-z_]+)') AS target FROM system.tables
     WHERE database = {database:String} AND engine = 'MaterializedView'`,
    { database },
  );
  for (const { name, target } of views) if (!SHARES.includes(target)) await warehouse.command(`DROP VIEW ${name} SYNC`);
}

/** Makes tables for the shares of each shard of the backup, and the Distributed tables over them. */
async function addShareTables(
  { cluster, shards }: RowServers,
  { warehouse }: RowServer,
  { local, all }: ShareTables,
  from: number,
): Promise<void> {
  const add = async (table: string, shard: string): Promise<void> => {
    if (cluster !== undefined) await warehouse.command(distributedOver(table, shard, { database: all, cluster }));
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
