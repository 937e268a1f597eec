import type { Config } from '../config.js';
import { readClosedBiUsers, type KeptBiUser } from '../embedded/engines/bi-users.js';
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
