import { createHash } from 'node:crypto';
import { createBiProxy, type BiProxyOptions } from '../../src/embedded/bi-proxy/server.js';
import { PROXY_KEY_HEADER } from '../../src/embedded/engines/proxy-key.js';
import { changeBiUsers, type KeptBiUser } from '../../src/embedded/engines/bi-users.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import type { Stores } from '../../src/composition/stores.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import { quietLog, type Engines } from './engines.js';
import { listening, type Listening } from './listening.js';

export const BI_PASSWORD = 'an analyst & <her> password';

export const keptUser = (name: string): KeptBiUser => ({
  name,
  passwordSha256: createHash('sha256').update(BI_PASSWORD).digest('hex'),
  account: { name, password: BI_PASSWORD },
});

export type BiProxy = Listening;

/** Where users of BI tools sign in: the proxy, or the engine itself, which wants headers of the proxy. */
export interface BiAddress {
  url: string;
  headers?: Record<string, string>;
}

/** The way past the proxy. */
export const directly = ({ url, proxyKey }: Engines['clickhouse']): BiAddress => ({
  url,
  headers: { [PROXY_KEY_HEADER]: proxyKey },
});

/** The proxy of the BI tools in front of engines of a test, for users that the engine was started with. */
export async function startBiProxy(
  engines: Pick<Engines, 'clickhouse' | 'dataDir'>,
  users: readonly KeptBiUser[],
  options: Pick<BiProxyOptions, 'waitMs'> = {},
): Promise<BiProxy> {
  await changeBiUsers(engines.dataDir, () => users);
  const engine = { ...engines.clickhouse, proxyKey: () => Promise.resolve(engines.clickhouse.proxyKey) };
  return listening(createBiProxy({ engine, dataDir: engines.dataDir, log: quietLog, ...options }));
}

/** Users whom tests bind to a shop of their own, in turns: more than any test has shops at a time. */
export const BI_POOL = Array.from({ length: 12 }, (_, index) => keptUser(`bi_pool_${index}`));
let next = 0;

/** Reads `bi` as a user of one shop; decimals and 64-bit integers are texts. */
export type Analyst = <Row>(sql: string) => Promise<Row[]>;

/** Sends statements as a user of one shop, in turns; `settings` are those of the address. */
async function signIn(
  shopId: string,
  at: BiAddress,
  warehouse: Warehouse,
  shards: readonly Warehouse[] = [],
): Promise<(sql: string, settings: string) => Promise<Response>> {
  const { name } = BI_POOL[next++ % BI_POOL.length] ?? keptUser('');
  // On shards every server has all users.
  if (shards.length > 1) for (const one of shards) await createBiUsers(one, 'profit_local').bind(name, shopId);
  else await createBiUsers(warehouse, 'profit').bind(name, shopId);
  return async (sql, settings) => {
    const response = await fetch(`${at.url}/?wait_end_of_query=1&${settings}`, {
      method: 'POST',
      headers: { ...at.headers, 'X-ClickHouse-User': name, 'X-ClickHouse-Key': BI_PASSWORD },
      body: sql,
    });
    if (response.status !== 200) throw new Error(await response.text());
    return response;
  };
}

export async function analystOf(...as: Parameters<typeof signIn>): Promise<Analyst> {
  const send = await signIn(...as);
  const settings = 'output_format_json_quote_64bit_integers=1&output_format_json_quote_decimals=1';
  return async <Row>(sql: string) => {
    const text = await (await send(sql, `${settings}&default_format=JSONEachRow`)).text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  };
}

/** The same, whose answers are files of a format: Parquet, ArrowStream, CSVWithNames and so on. */
export async function fileReaderOf(...as: Parameters<typeof signIn>) {
  const send = await signIn(...as);
  return async (sql: string, format: string, settings = ''): Promise<Buffer> =>
    Buffer.from(await (await send(sql, `default_format=${format}&${settings}`)).arrayBuffer());
}

export type BiRow = Record<string, string | number | boolean | null>;

/** Reads `bi` as the analyst of whichever shop is asked about, each of whom signs in once. */
export function analystsOf(
  { warehouse, shards }: Pick<Stores, 'warehouse' | 'shards'>,
  addressOf: () => Promise<BiAddress>,
) {
  const analysts = new Map<string, Promise<Analyst>>();
  return async (shop: { id: string }, sql: string): Promise<BiRow[]> => {
    const analyst = analysts.get(shop.id) ?? addressOf().then((at) => analystOf(shop.id, at, warehouse, shards.each));
    analysts.set(shop.id, analyst);
    return (await analyst)<BiRow>(sql);
  };
}

/** `"12.500000"` and `"12.5"` → the same text, as the API writes it. */
export function canonical(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value)) return value;
  const [whole = '', fraction = ''] = value.split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}
