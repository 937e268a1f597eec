/**
 * Every row of a shop is on one shard, which its id determines. So a view reads all rows of its shops, and a query of one shop asks one
 * server. A look-up of an API key does not know the shop: keys are placed by their hash. With this hash, as few shops as possible change
 * their shard when shards are added. `domain/shard-of.ts` computes the same.
 */

/** The column that determines the shard of a row. */
export const keyColumn = (table: string): 'shop_id' | 'key_hash' => (table === 'api_keys' ? 'key_hash' : 'shop_id');

/** The shard of a row of the table in SQL, from 0. */
export const shardOfRow = (table: string, shards: number): string =>
  `jumpConsistentHash(cityHash64(${keyColumn(table)}), ${shards})`;

/** Tables that every server has for itself: it must know which shop a BI user sees, and its own migrations. */
export const EVERYWHERE: readonly string[] = ['bi_users', 'schema_migrations'];
