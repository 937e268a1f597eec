import { join } from 'node:path';
import { BI_LOCAL_GRANT } from '../../warehouse/bi/access.js';
import type { Clusters } from './clickhouse-config.js';
import { startClickHouse, type ClickHouseOptions, type RunningClickHouse } from './clickhouse.js';
import { privateFolder, keptSecret, writePrivate } from '../../files.js';
import { freePort } from './free-port.js';

/** Name of the shards in `remote_servers`. */
const CLUSTER = 'shards';
/** Of the tables of one shard, next to the database `profit`. */
const LOCAL_DATABASE = 'profit_local';

export interface ShardsOptions extends Pick<ClickHouseOptions, 'dataDir' | 'log' | 'biUsers' | 'sessionSettings'> {
  count: number;
  /** Called when the engine of a server ends without `stop` having been asked. */
  onExit?: (index: number) => void;
  /** The port on which the others reach a server, by the port of its native protocol; that port when absent. */
  through?: (nativePort: number) => Promise<number>;
}

export interface RunningShards {
  /** The server of each shard. */
  shards: readonly RunningClickHouse[];
  /** Of the native protocol, in the same order. */
  nativePorts: readonly number[];
  /** With which the service finds them. */
  env: Record<'CLICKHOUSE_URL' | 'CLICKHOUSE_NODES' | 'CLICKHOUSE_CLUSTER', string>;
  /** Starts a server again whose engine has ended, on the ports that the others know. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts several ClickHouse engines on this machine that know each other as the shards of one cluster. They speak to each other
 * over the native protocol, each as who signed in at the other, with one secret; the service has one password for all.
 * Throws when one of them does not start.
 */
export async function startShards(given: ShardsOptions): Promise<RunningShards> {
  const { dataDir, count, biUsers = [], onExit, through, ...options } = given;
  await privateFolder(dataDir);
  const password = await keptSecret(join(dataDir, 'password'));
  const servers: { nativePort: number; reachedAt: number }[] = [];
  for (let i = 0; i < count; i++) {
    const nativePort = await freePort();
    servers.push({ nativePort, reachedAt: (await through?.(nativePort)) ?? nativePort });
  }
  const secret = await keptSecret(join(dataDir, 'secret'));
  /** As a server knows them: itself by its own port. */
  const clustersOf = (own: number): Clusters => {
    const nodes = servers.map(({ nativePort, reachedAt }, i) => ({
      host: '127.0.0.1',
      nativePort: i === own ? nativePort : reachedAt,
    }));
    return { secret, shards: { [CLUSTER]: nodes.map((node) => [node]) } };
  };
  const users = biUsers.map((user) => ({ ...user, grants: [...user.grants, BI_LOCAL_GRANT] }));
  const start = async (index: number): Promise<RunningClickHouse> => {
    const folder = join(dataDir, `shard-${index + 1}`);
    await privateFolder(folder);
    await writePrivate(join(folder, 'password'), `${password}\n`);
    return startClickHouse({
      ...options,
      dataDir: folder,
      nativePort: servers[index]?.nativePort,
      clusters: clustersOf(index),
      onExit: () => onExit?.(index),
      biUsers: users,
      rows: { database: LOCAL_DATABASE, isSharded: true },
    });
  };

  const started = await Promise.allSettled(servers.map((_, index) => start(index)));
  const shards = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(shards.map((shard) => shard.stop()));
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw new Error('a shard did not start', { cause: failed.reason });
  }
  const urls = shards.map(({ url, username }) => Object.assign(new URL(url), { username, password }).href);
  return {
    shards,
    nativePorts: servers.map(({ nativePort }) => nativePort),
    env: {
      CLICKHOUSE_URL: urls.join(','),
      CLICKHOUSE_NODES: urls.join(','),
      CLICKHOUSE_CLUSTER: CLUSTER,
    },
    async restart(index) {
      shards[index] = await start(index);
    },
    stop,
  };
}
