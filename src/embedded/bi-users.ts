import { join } from 'node:path';
import { BI_DATABASE, BI_GRANTS, BI_PROFILE, BI_QUOTA, SHOP_SETTING } from '../warehouse/bi-access.js';
import { readIfThere, writePrivate } from './files.js';
import type { ClickHouseUser } from './clickhouse-users.js';

const file = (dataDir: string): string => join(dataDir, 'clickhouse-users.json');

/**
 * The users of the embedded ClickHouse beside the service's own, as the data folder keeps them. They take effect when the
 * engine starts; SIGUSR2 to the supervisor (`pid` of `runtime.json`) starts it anew.
 */
export async function readBiUsers(dataDir: string): Promise<ClickHouseUser[]> {
  return JSON.parse((await readIfThere(file(dataDir))) ?? '[]') as ClickHouseUser[];
}

/** Replaces them all. */
export const writeBiUsers = (dataDir: string, users: readonly ClickHouseUser[]): Promise<void> =>
  writePrivate(file(dataDir), `${JSON.stringify(users, null, 2)}\n`);

/** A user that sees one shop through the views of `bi`. `passwordSha256` is 64 lower-case hex digits. */
export const biUser = (user: { name: string; passwordSha256: string; shopId: string }): ClickHouseUser => ({
  name: user.name,
  passwordSha256: user.passwordSha256,
  profile: BI_PROFILE,
  quota: BI_QUOTA.name,
  settings: { [SHOP_SETTING]: user.shopId },
  defaultDatabase: BI_DATABASE,
  grants: BI_GRANTS,
});

/** The shop of a user made by {@link biUser}; undefined for another one. */
export const shopOfBiUser = (user: ClickHouseUser): string | undefined => user.settings?.[SHOP_SETTING];
