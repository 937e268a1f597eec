import type { Config } from '../config.js';
import { readClosedBiUsers } from '../embedded/engines/bi-users.js';
import type { BiUsers } from '../warehouse/bi/users.js';

/** Names of the BI users of the embedded engine that are closed; nothing closes those of a server. */
export const closedBiUsers = async ({ dataDir, embeddedEngines }: Config): Promise<string[]> =>
  embeddedEngines.includes('clickhouse') ? readClosedBiUsers(dataDir) : [];

/** The same of one shop. */
export const closedBiUsersOf =
  (config: Config, users: Pick<BiUsers, 'list'>) =>
  async (shopId: string): Promise<string[]> => {
    const closed = await closedBiUsers(config);
    if (closed.length === 0) return [];
    return (await users.list()).flatMap(({ user, shop }) => (shop === shopId && closed.includes(user) ? [user] : []));
  };
