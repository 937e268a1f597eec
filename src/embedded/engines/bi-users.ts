import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BI_DATABASE, BI_GRANTS, BI_PREFIX, BI_PROFILE } from '../../warehouse/bi/access.js';
import { BI_QUOTA } from '../../warehouse/bi/profiles.js';
import { tryLock } from '../supervisor/folder-lock.js';
import type { ClickHouseUser } from './clickhouse-users.js';
import { readIfThere, writePrivate } from '../../files.js';

/**
 * A user as the engine knows it, by which the proxy for BI tools signs in. The engine reads its users when it starts and at no other time, so
 * it starts with some to spare. Each is given to one BI user and to no later one: the engine caches answers by user.
 */
export interface Account {
  name: string;
  password: string;
}

/** A BI user of the embedded engine, as the data folder keeps it. */
export interface KeptBiUser {
  name: string;
  /** 64 lower-case hex digits. */
  passwordSha256: string;
  account: Account;
  /** Signs in no more: a query of it could not be stopped. */
  closed?: boolean;
}

interface Kept {
  users: readonly KeptBiUser[];
  /** Accounts of the running engine that no BI user has had. */
  spares: readonly Account[];
}

const file = (dataDir: string): string => join(dataDir, 'clickhouse-users.json');

async function read(dataDir: string): Promise<Kept> {
  const text = await readIfThere(file(dataDir));
  return text === undefined ? { users: [], spares: [] } : (JSON.parse(text) as Kept);
}

/** The BI users of the embedded ClickHouse. */
export const readBiUsers = async (dataDir: string): Promise<readonly KeptBiUser[]> => (await read(dataDir)).users;

/** Those that are closed. */
export const readClosedBiUsers = async (dataDir: string): Promise<KeptBiUser[]> =>
  (await readBiUsers(dataDir)).filter(({ closed }) => closed === true);

const WAIT_MS = 10_000;
const RETRY_MS = 50;

/** One command at a time, so that no command overwrites the change of another one. */
async function changeKept(dataDir: string, change: (kept: Kept) => Kept): Promise<void> {
  const lock = `${file(dataDir)}.lock`;
  let release = tryLock(lock);
  for (const end = performance.now() + WAIT_MS; release === undefined; release = tryLock(lock)) {
    if (performance.now() > end) throw new Error(`another command holds ${lock}; try again`);
    await sleep(RETRY_MS);
  }
  try {
    await writePrivate(file(dataDir), `${JSON.stringify(change(await read(dataDir)), null, 2)}\n`);
  } finally {
    release();
  }
}

export const changeBiUsers = (
  dataDir: string,
  change: (users: readonly KeptBiUser[]) => readonly KeptBiUser[],
): Promise<void> => changeKept(dataDir, ({ users, spares }) => ({ users: change(users), spares }));

/** An account of the running engine for a new BI user; undefined when none is left. */
export async function takeAccount(dataDir: string): Promise<Account | undefined> {
  let taken: Account | undefined;
  await changeKept(dataDir, ({ users, spares: [first, ...spares] }) => {
    taken = first;
    return { users, spares };
  });
  return taken;
}

/** BI users that can be made until the next start of the engine. */
const SPARES = 20;

const freshAccount = (): Account => ({
  name: `${BI_PREFIX}${randomBytes(6).toString('hex')}`,
  password: randomBytes(24).toString('base64url'),
});

/** The accounts with which the engine is to start: those of the BI users, and {@link SPARES} more. */
export async function accountsToStart(dataDir: string): Promise<ClickHouseUser[]> {
  let accounts: readonly Account[] = [];
  await changeKept(dataDir, ({ users, spares: left }) => {
    const spares = [...left, ...Array.from({ length: SPARES - left.length }, freshAccount)];
    accounts = [...users.map(({ account }) => account), ...spares];
    return { users, spares };
  });
  return accounts.map(biUser);
}

/** The engine's part of a BI user. The table `bi_users` has the shop of each account. */
export const biUser = ({ name, password }: Account): ClickHouseUser => ({
  name,
  passwordSha256: hash('sha256', password),
  profile: BI_PROFILE,
  quota: BI_QUOTA.name,
  defaultDatabase: BI_DATABASE,
  grants: BI_GRANTS,
});
