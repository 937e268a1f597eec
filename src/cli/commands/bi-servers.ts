import type { Config } from '../../config.js';
import { dropUserStatements, profileStatements, settingNames, userStatements } from '../../warehouse/bi/access-sql.js';
import { createWarehouse, type Warehouse } from '../../warehouse/client.js';
import { requireSingle } from '../../warehouse/cluster/check-shards.js';
import { whileOpen } from '../while-open.js';

/** The servers that need each user: on shards all of them, each by its own address. */
const serversOf = ({ shards, clickhouseUrl = '' }: Config): readonly string[] => shards?.nodes ?? [clickhouseUrl];

/** Makes a BI user on every server, or on none. Throws an error that names the servers that could not be reached. */
export async function createOnServers(config: Config, user: { name: string; passwordSha256: string }): Promise<void> {
  const isSharded = config.shards !== undefined;
  try {
    await onServers(config, async (warehouse) => {
      if (!isSharded) await requireSingle(warehouse, config.clickhouseDatabase);
      const names = await settingNames(warehouse);
      return [...profileStatements(names, { isSharded }), ...userStatements(user, { isSharded })];
    });
  } catch (error) {
    // If this fails, the user stays, but no shop is bound to it.
    await dropOnServers(config, user.name).catch(() => undefined);
    throw error;
  }
}

/** Takes a BI user away from every server that answers; harmless to repeat. Throws as {@link createOnServers} does. */
export const dropOnServers = (config: Config, user: string): Promise<void> =>
  onServers(config, () => Promise.resolve(dropUserStatements(user)));

/** Runs statements on every server, on the others too where one fails. */
async function onServers(config: Config, statements: (warehouse: Warehouse) => Promise<string[]>): Promise<void> {
  const urls = serversOf(config);
  const run = (url: string): Promise<void> =>
    withServer(url, async (warehouse) => {
      for (const statement of await statements(warehouse)) await warehouse.run({ name: 'BI access', sql: statement });
    });
  const failures = (await Promise.allSettled(urls.map(run))).flatMap((result, index) =>
    result.status === 'rejected' ? [{ host: new URL(urls[index] ?? '').host, reason: result.reason as unknown }] : [],
  );
  if (failures.length === 0) return;
  const hosts = failures.map(({ host }) => host).join(', ');
  throw new Error(`not done on ${hosts}; try again when all servers answer`, { cause: failures[0]?.reason });
}

/** A connection to one server alone. */
export const withServer = <T>(url: string, use: (warehouse: Warehouse) => Promise<T>): Promise<T> =>
  whileOpen(createWarehouse({ url, database: 'system' }), use);
