import type { Warehouse } from '../client.js';
import { BI_USERS } from './access.js';
import { defineQuery, texts } from '../query.js';

/** A BI user and the shop that it sees. */
export interface BiUser {
  user: string;
  shop: string;
}

/** Which BI user sees which shop, as the row filters of the views read it: the table `bi_users` of one database. */
export interface BiUsers {
  /** Those that are not taken away, by name, with the moment at which each was bound, in milliseconds. */
  list(): Promise<(BiUser & { boundAt: number })[]>;
  /** Binds a user to a shop, instead of another if need be. */
  bind(user: string, shop: string): Promise<void>;
  /** Leaves a user without a shop: it sees nothing any more. */
  release(user: string): Promise<void>;
}

const BI_USER_LIST = defineQuery('BI users', texts('user', 'shop', 'bound_at'));

export function createBiUsers(warehouse: Warehouse, database: string): BiUsers {
  const table = `${database}.${BI_USERS}`;
  // A clock that went back must not leave the older row in force.
  const write = (user: string, shop: string, deleted: 0 | 1): Promise<void> =>
    warehouse.run({
      name: 'bind a BI user',
      sql: `INSERT INTO ${table} (user_name, shop_id, version, is_deleted)
       SELECT {user:String}, {shop:String}, greatest(toUInt64(toUnixTimestamp64Milli(now64(3))), max(t.version) + 1),
              {deleted:UInt8}
       FROM ${table} AS t WHERE t.user_name = {user:String}`,
      params: { user, shop, deleted },
    });
  return {
    async list() {
      const rows = await warehouse.ask(
        BI_USER_LIST(
          `SELECT u.user_name AS user, u.shop_id AS shop, toString(u.version) AS bound_at FROM ${table} AS u FINAL
           WHERE NOT u.is_deleted ORDER BY user`,
        ),
      );
      return rows.map(({ bound_at, ...bound }) => ({ ...bound, boundAt: Number(bound_at) }));
    },
    bind: (user, shop) => write(user, shop, 0),
    release: (user) => write(user, '', 1),
  };
}
