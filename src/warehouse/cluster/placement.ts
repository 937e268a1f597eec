/**
 * Every row of a shop is on one shard, which its id determines. So a view reads all rows of its shops, and a query of one shop asks one
 * server. A look-up of an API key does not know the shop: keys are placed by their hash. What belongs to no shop has the place ''. With
 * this hash, as few shops as possible change their shard when shards are added. `domain/shard-of.ts` computes the same.
 */

/** The place of rows that belong to the installation. */
export const INSTALLATION = '';

/** Tables of such rows. */
const OF_INSTALLATION: readonly string[] = ['people', 'share_links', 'access_log'];

/** The column that determines the shard of a row. */
export function keyColumn(table: string): 'shop_id' | 'key_hash' | 'place' {
  if (OF_INSTALLATION.includes(table)) return 'place';
  return table === 'api_keys' ? 'key_hash' : 'shop_id';
}

/** The shard of a row of the table in SQL, from 0. */
export const shardOfRow = (table: string, shards: number): string =>
  `jumpConsistentHash(cityHash64(${keyColumn(table)}), ${shards})`;

/** Tables that every server has for itself: it must know which shop a BI user sees, and its own migrations. */
export const EVERYWHERE: readonly string[] = ['bi_users', 'schema_migrations'];
