import { Type } from 'typebox';
import { hash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.js';
import { compare } from '../../domain/compare.js';
import { isShopId } from '../../domain/keys.js';
import { changeBiUsers, readBiUsers, takeAccount, type Account } from '../../embedded/engines/bi-users.js';
import { readRuntime, type Runtime } from '../../embedded/supervisor/runtime.js';
import { BI_DATABASE, BI_PREFIX, BI_READER } from '../../warehouse/bi/access.js';
import { createBiUsers, type BiUser, type BiUsers } from '../../warehouse/bi/users.js';
import { createWarehouse } from '../../warehouse/client.js';
import { localDatabase } from '../../warehouse/cluster/distribute.js';
import { whileOpen } from '../while-open.js';
import { createOnServers, dropOnServers, withServer } from './bi-servers.js';
import { defineQuery } from '../../warehouse/query.js';
import { literal } from '../../warehouse/sql.js';

/** How a BI tool connects. The password is shown once. */
export interface BiAccess {
  host: string;
  /** Port of the HTTP interface, which most tools speak. */
  httpPort: number;
  /** Port of the native protocol; null where it is not offered: on the embedded engine. */
  nativePort: number | null;
  database: string;
  user: string;
  password: string;
}

export interface BiUserOptions {
  shop: string;
  /** Name after `bi_`; made from the shop and a few random letters when absent. */
  name?: string;
}

const RESTART_MS = 60_000;

/**
 * Makes a user that sees one shop through the views of `bi`, and returns how to connect; the password is stored nowhere. On a server, and
 * on every shard, this is done by SQL. The embedded engine has accounts to spare, and restarts only where none is left, which takes
 * about a second (pushes are queued meanwhile). Throws a RangeError that says what is wrong with an option.
 */
export async function createBiUser(config: Config, { shop, name }: BiUserOptions): Promise<BiAccess> {
  if (!isShopId(shop)) throw new RangeError('a shop id has 1 to 64 letters, digits, dots, dashes and underscores');
  if (name !== undefined && !/^[A-Za-z0-9_]{1,48}$/.test(name))
    throw new RangeError('--name takes 1 to 48 letters, digits and underscores');
  const user = `${BI_PREFIX}${name ?? `${shop.replace(/[^A-Za-z0-9]/g, '_').slice(0, 40)}_${randomBytes(3).toString('hex')}`}`;
  if (user === BI_READER) throw new RangeError(`${BI_READER} is the owner of the views`);
  if ((await listBiUsers(config)).some((known) => known.user === user)) throw taken(user);

  const password = randomBytes(24).toString('base64url');
  const passwordSha256 = hash('sha256', password);
  const runtime = embedded(config);
  const at = new URL(config.clickhouseUrl ?? '');
  const access: BiAccess = {
    host: at.hostname,
    httpPort: runtime?.bi?.port ?? Number(at.port === '' ? (at.protocol === 'https:' ? 443 : 80) : at.port),
    nativePort: runtime === undefined ? await nativePort(config) : null,
    database: BI_DATABASE,
    user,
    password,
  };
  // The shop comes first: a user without one sees nothing.
  if (runtime !== undefined) {
    const account = await spareAccount(config, runtime);
    await withBiUsers(config, (users) => users.bind(account.name, shop));
    await changeBiUsers(config.dataDir, (users) => {
      if (users.some(({ name: known }) => known === user)) throw taken(user);
      return [...users, { name: user, passwordSha256, account }];
    });
  } else {
    await withBiUsers(config, (users) => users.bind(user, shop));
    await createOnServers(config, { name: user, passwordSha256 }).catch(async (error: unknown) => {
      // A server may have the user, but no one has its password; `bi drop-user` removes it when all servers answer.
      await withBiUsers(config, (users) => users.release(user)).catch(() => undefined);
      throw error;
    });
  }
  return access;
}

const taken = (user: string): RangeError => new RangeError(`there is a user ${user} already`);

/** The BI users and the shop that each sees; a user of the embedded engine may be closed. */
export async function listBiUsers(config: Config): Promise<(BiUser & { isClosed: boolean })[]> {
  const kept = embedded(config) === undefined ? [] : await readBiUsers(config.dataDir);
  return (await withBiUsers(config, (users) => users.list()))
    .map(({ user, shop }) => {
      const known = kept.find(({ account }) => account.name === user);
      return { user: known?.name ?? user, shop, isClosed: known?.closed === true };
    })
    .sort((a, b) => compare(a.user, b.user));
}

/** Opens a user of the embedded engine that was closed. Throws a RangeError when none of the name is. */
export async function openBiUser(config: Config, user: string): Promise<void> {
  const found = (await listBiUsers(config)).find((known) => known.user === user);
  if (found?.isClosed !== true) throw new RangeError(`there is no closed user ${user}`);
  await changeBiUsers(config.dataDir, (users) =>
    users.map(({ closed, ...known }) => (known.name === user || closed === undefined ? known : { ...known, closed })),
  );
}

/** Takes a BI user away, and on the embedded engine ends its queries. Throws a RangeError when there is none of the name. */
export async function dropBiUser(config: Config, user: string): Promise<void> {
  if (!(await listBiUsers(config)).some((known) => known.user === user))
    throw new RangeError(`there is no user ${user}`);
  if (embedded(config) === undefined) {
    await dropOnServers(config, user);
    // Last: a command that was interrupted can be given again.
    return withBiUsers(config, (users) => users.release(user));
  }
  const kept = (await readBiUsers(config.dataDir)).find(({ name }) => name === user);
  const account = kept?.account.name ?? user;
  await changeBiUsers(config.dataDir, (users) => users.filter(({ name }) => name !== user));
  await withServer(config.clickhouseUrl ?? '', (warehouse) =>
    warehouse.run({ name: 'end BI queries', sql: `KILL QUERY WHERE user = ${literal(account)} ASYNC` }),
  );
  await withBiUsers(config, (users) => users.release(account));
}

/** Lines for a person and for scripts: `name: value`. */
export function accessLines(access: BiAccess): string[] {
  const { host, httpPort, nativePort, database, user, password } = access;
  return [
    `host: ${host}`,
    `port: ${httpPort}`,
    ...(nativePort === null ? [] : [`native port: ${nativePort}`]),
    `database: ${database}`,
    `user: ${user}`,
    `password: ${password}`,
  ];
}

/** The running service whose engine is the embedded one; undefined when the configuration names a server. */
function embedded({ dataDir, clickhouseUrl }: Config): Runtime | undefined {
  const runtime = readRuntime(dataDir);
  return runtime?.clickhouse.httpPort !== undefined && runtime.clickhouse.url === clickhouseUrl ? runtime : undefined;
}

async function spareAccount({ dataDir, clickhouseUrl = '' }: Config, { pid, clickhouse }: Runtime): Promise<Account> {
  const spare = await takeAccount(dataDir);
  if (spare !== undefined) return spare;
  process.kill(pid, 'SIGUSR2');
  for (const end = performance.now() + RESTART_MS; performance.now() < end;) {
    await sleep(100);
    const isAnother = ![undefined, clickhouse.pid].includes(readRuntime(dataDir)?.clickhouse.pid);
    const account = isAnother && (await answers(clickhouseUrl)) ? await takeAccount(dataDir) : undefined;
    if (account !== undefined) return account;
  }
  throw new Error(`the engine did not come back with more accounts within ${RESTART_MS / 1000} s; see its log`);
}

const answers = (url: string): Promise<boolean> => withServer(url, (warehouse) => warehouse.ping().catch(() => false));

const NATIVE_PORT = defineQuery('native port', { port: Type.Number() });

const nativePort = ({ clickhouseUrl = '' }: Config): Promise<number | null> =>
  withServer(clickhouseUrl, async (warehouse) => {
    const [row] = await warehouse.ask(NATIVE_PORT("SELECT getServerPort('tcp_port') AS port")).catch(() => []);
    return row?.port ?? null;
  });

/** On shards every server has all users. */
async function withBiUsers<T>(config: Config, use: (users: BiUsers) => Promise<T>): Promise<T> {
  const { clickhouseUrl: url = '', clickhouseDatabase: database, shards } = config;
  if (shards === undefined) {
    return whileOpen(createWarehouse({ url, database: 'system' }), (server) => use(createBiUsers(server, database)));
  }
  const servers = shards.nodes.map((node) => createWarehouse({ url: node, database: 'system' }));
  const users = servers.map((server) => createBiUsers(server, localDatabase(database)));
  const onAll = async (work: (one: BiUsers) => Promise<void>): Promise<void> => {
    await Promise.all(users.map(work));
  };
  const found: BiUsers['list'] = async () => {
    const lists = (await Promise.all(users.map((one) => one.list()))).flat();
    return [...new Map(lists.map((user) => [user.user, user])).values()].sort((a, b) => compare(a.user, b.user));
  };
  try {
    return await use({
      list: found,
      bind: (user, shop) => onAll((one) => one.bind(user, shop)),
      release: (user) => onAll((one) => one.release(user)),
    });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}
