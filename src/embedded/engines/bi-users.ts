import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BI_DATABASE, BI_GRANTS, BI_PROFILE } from '../../warehouse/bi/access.js';
import { BI_QUOTA } from '../../warehouse/bi/profiles.js';
import { tryLock } from '../supervisor/folder-lock.js';
import type { ClickHouseUser } from './clickhouse-users.js';
import { readIfThere, writePrivate } from '../../files.js';

/** A BI user of the embedded engine, as the data folder keeps it. */
export interface KeptBiUser {
  name: string;
  /** 64 lower-case hex digits. */
  passwordSha256: string;
  /** Signs in no more: a query of it could not be stopped. */
  closed?: boolean;
}

const file = (dataDir: string): string => join(dataDir, 'clickhouse-users.json');

/**
 * The BI users of the embedded ClickHouse, as the data folder keeps them. They take effect when the engine starts; SIGUSR2
 * to the supervisor (`pid` of `runtime.json`) restarts it.
 */
export async function readBiUsers(dataDir: string): Promise<KeptBiUser[]> {
  return JSON.parse((await readIfThere(file(dataDir))) ?? '[]') as KeptBiUser[];
}

/** Names of those that are closed. */
export async function readClosedBiUsers(dataDir: string): Promise<string[]> {
  return (await readBiUsers(dataDir)).flatMap(({ name, closed }) => (closed === true ? [name] : []));
}

const WAIT_MS = 10_000;
const RETRY_MS = 50;

/** Changes the users, one command at a time, so that no command overwrites the change of another one. */
export async function changeBiUsers(
  dataDir: string,
  change: (users: readonly KeptBiUser[]) => readonly KeptBiUser[],
): Promise<void> {
  const lock = `${file(dataDir)}.lock`;
  let release = tryLock(lock);
  for (const end = Date.now() + WAIT_MS; release === undefined; release = tryLock(lock)) {
    if (Date.now() > end) throw new Error(`another command holds ${lock}; try again`);
    await sleep(RETRY_MS);
  }
  try {
    await writePrivate(file(dataDir), `${JSON.stringify(change(await readBiUsers(dataDir)), null, 2)}\n`);
  } finally {
    release();
  }
}

/** The engine's part of a BI user. The table `bi_users` has its shop. */
export const biUser = ({ name, passwordSha256 }: KeptBiUser): ClickHouseUser => ({
  name,
  passwordSha256,
  profile: BI_PROFILE,
  quota: BI_QUOTA.name,
  defaultDatabase: BI_DATABASE,
  grants: BI_GRANTS,
});
