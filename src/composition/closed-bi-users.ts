import type { Config } from '../config.js';
import { readBiUsers, readClosedBiUsers, type KeptBiUser } from '../embedded/engines/bi-users.js';
import type { BiUsers } from '../warehouse/bi/users.js';

/** The BI users of the embedded engine that are closed; nothing closes those of a server. */
export const closedBiUsers = async ({ dataDir, embeddedEngines }: Config): Promise<KeptBiUser[]> =>
  embeddedEngines.includes('clickhouse') ? readClosedBiUsers(dataDir) : [];

/** Names of those of one shop. */
export const closedBiUsersOf =
  (config: Config, users: Pick<BiUsers, 'list'>) =>
  async (shopId: string): Promise<string[]> => {
    const closed = await closedBiUsers(config);
    if (closed.length === 0) return [];
    const accounts = (await users.list()).flatMap(({ user, shop }) => (shop === shopId ? [user] : []));
    return closed.flatMap(({ name, account }) => (accounts.includes(account.name) ? [name] : []));
  };

/** The BI users of one shop, by the names under which they sign in. */
export const biUsersOf = (config: Config, users: Pick<BiUsers, 'list'>) => async (shopId: string) => {
  // On shards every server has all users.
  const own = (await users.list()).filter(({ shop }) => shop === shopId);
  const bound = new Map(own.map(({ user, boundAt }) => [user, boundAt]));
  const kept = config.embeddedEngines.includes('clickhouse') ? await readBiUsers(config.dataDir) : [];
  return Array.from(bound, ([user, boundAt]) => {
    const known = kept.find(({ account }) => account.name === user);
    return { user: known?.name ?? user, boundAt, isClosed: known?.closed === true };
  });
};
