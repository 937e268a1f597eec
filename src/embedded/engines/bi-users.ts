import { join } from 'node:path';
import { BI_DATABASE, BI_GRANTS, BI_PROFILE, BI_QUOTA } from '../../warehouse/bi/access.js';
import type { ClickHouseUser } from './clickhouse-users.js';
import { readIfThere, writePrivate } from './files.js';

/** A BI user of the embedded engine, as the data folder keeps it. */
export interface KeptBiUser {
  name: string;
  /** 64 lower-case hex digits. */
  passwordSha256: string;
  shopId: string;
}

/** How a user was kept when a setting of its own named its shop. */
interface OldBiUser {
  name: string;
  passwordSha256: string;
  settings: { query_cache_tag: string };
}

const file = (dataDir: string): string => join(dataDir, 'clickhouse-users.json');

/**
 * The BI users of the embedded ClickHouse, as the data folder keeps them. They take effect when the engine starts; SIGUSR2
 * to the supervisor (`pid` of `runtime.json`) starts it anew.
 */
export async function readBiUsers(dataDir: string): Promise<KeptBiUser[]> {
  const kept = JSON.parse((await readIfThere(file(dataDir))) ?? '[]') as (KeptBiUser | OldBiUser)[];
  return kept.map((user) => ({
    name: user.name,
    passwordSha256: user.passwordSha256,
    shopId: 'shopId' in user ? user.shopId : user.settings.query_cache_tag,
  }));
}

/** Replaces them all. */
export const writeBiUsers = (dataDir: string, users: readonly KeptBiUser[]): Promise<void> =>
  writePrivate(file(dataDir), `${JSON.stringify(users, null, 2)}\n`);

/** What the engine is told of a BI user; which shop it sees says the table `bi_users`. */
export const biUser = ({ name, passwordSha256 }: Omit<KeptBiUser, 'shopId'>): ClickHouseUser => ({
  name,
  passwordSha256,
  profile: BI_PROFILE,
  quota: BI_QUOTA.name,
  defaultDatabase: BI_DATABASE,
  grants: BI_GRANTS,
});
