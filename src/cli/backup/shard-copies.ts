import { prepareSnapshot, type Snapshot } from '../../warehouse/backup/snapshot.js';
import { isEverywhere, type StoredTable } from '../../warehouse/backup/tables.js';
import type { RowServer, RowServers } from '../../warehouse/cluster/row-servers.js';

/** The copy of what one shard holds. */
export interface ShardCopy extends RowServer {
  tables: readonly StoredTable[];
  snapshot: Snapshot;
}

/** Prepares a copy of each shard in the database `into`. A table that every server holds is copied from the first shard alone. */
export const prepareShardCopies = (
  servers: RowServers,
  into: string,
  tables: readonly StoredTable[],
): Promise<ShardCopy[]> =>
  Promise.all(
    servers.holders.map(async (holder) => {
      const own = tables.filter((table) => holder.shard === 1 || !isEverywhere(table));
      const snapshot = await prepareSnapshot(holder.warehouse, { from: servers.rows, into, tables: own });
      return { ...holder, tables: own, snapshot };
    }),
  );
