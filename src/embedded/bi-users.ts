import { join } from 'node:path';
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
