import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clickhouseFolder } from '../../paths.js';
import { privateFolder, writePrivate } from '../../files.js';
import { PROXY_KEY_HEADER } from './proxy-key.js';
import type { BiRows } from '../../warehouse/bi/access.js';
import { escape, usersXml, type ClickHouseUser } from './clickhouse-users.js';

/** The values for the files of the embedded engine. */
export interface ClickHouseFiles {
  dataDir: string;
  host: string;
  httpPort: number;
  /** Port of the native protocol; closed when absent. */
  nativePort?: number | undefined;
  service: { username: string; password: string };
  /** What the proxy for BI tools proves itself with. */
  proxyKey: string;
  users: readonly ClickHouseUser[];
  /** Names of all settings of the engine; needed where there are users. */
  settings: readonly string[];
  /** The tables with the rows that BI users see. */
  rows: BiRows;
  clusters: Clusters | undefined;
  sessionSettings: SessionSettings;
}

/** Default settings of every session. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Clusters by name: shards, each with its replicas. Servers with the same `secret` trust each other on who has signed in, so a query of a
 * BI user runs as that user on all of them.
 */
export interface Clusters {
  secret: string;
  shards: Readonly<Record<string, readonly (readonly { host: string; nativePort: number }[])[]>>;
}

/** Functions whose time grows with the square of what they are given. They look at no limit of time until they are done. */
const QUADRATIC_FUNCTIONS = [
  'arrayLevenshteinDistance',
  'countMatches',
  'countMatchesCaseInsensitive',
  'countSubstringsCaseInsensitiveUTF8',
  'cutURLParameter',
  'damerauLevenshteinDistance',
  'editDistance',
  'editDistanceUTF8',
  'jaroSimilarity',
  'jaroWinklerSimilarity',
  'levenshteinDistance',
  'levenshteinDistanceUTF8',
  ...['Distance', 'Equals', 'Intersect', 'Intersection', 'SymDifference', 'Union', 'Within'].flatMap((name) =>
    ['Cartesian', 'Spherical'].map((shape) => `polygons${name}${shape}`),
  ),
];
const TOO_LONG = 'it takes too long';

/**
 * Functions that need no grant and are closed to everybody. A function of the same name in the engine's folder takes precedence, in every
 * part of a query; it could not be made by SQL. `file` reads any file of the machine in this engine, the two after it read and write
 * files that settings name, and `getClientHTTPHeader` reads the headers of the request where a setting allows it: any subquery can set these.
 */
const CLOSED_FUNCTIONS: Readonly<Record<string, readonly [parameters: string, reason: string]>> = {
  file: ['path', 'files cannot be read here'],
  polygonConvexHullCartesian: ['a', TOO_LONG],
  formatRow: ['format, value', 'files cannot be read here'],
  formatRowNoNewline: ['format, value', 'files cannot be read here'],
  getClientHTTPHeader: ['name', 'headers cannot be read here'],
  arrayLevenshteinDistanceWeighted: ['a, b, c, d', TOO_LONG],
  arrayReduceInRanges: ['a, b, c', TOO_LONG],
  URLHierarchy: ['a', TOO_LONG],
  URLPathHierarchy: ['a', TOO_LONG],
  arraySimilarity: ['a, b, c, d', TOO_LONG],
  ...Object.fromEntries(QUADRATIC_FUNCTIONS.map((name) => [name, ['a, b', TOO_LONG]] as const)),
};

const closedFunction = (name: string, parameters: string, reason: string): string =>
  `CREATE FUNCTION ${name} AS (${parameters}) -> throwIf(1, '${reason}: ${name} is closed')`;

/**
 * The HTTP requests that the engine answers: those of the service and of the proxy for BI tools. All others get a 404, before any sign-in.
 */
function httpHandlers({ service, proxyKey }: Pick<ClickHouseFiles, 'service' | 'proxyKey'>): string {
  const basic = Buffer.from(`${service.username}:${service.password}`).toString('base64');
  const rule = (header: string, value: string, path: string, handler: string): string =>
    `<rule><headers><${header}>${escape(value)}</${header}></headers><url>${escape(path)}</url><handler>${handler}</handler></rule>`;
  const queries = '<type>dynamic_query_handler</type><query_param_name>query</query_param_name>';
  return [
    '<http_handlers>',
    rule('Authorization', `Basic ${basic}`, 'regex:^/(\\?.*)?$', queries),
    rule(PROXY_KEY_HEADER, proxyKey, 'regex:^/(\\?.*)?$', queries),
    rule(PROXY_KEY_HEADER, proxyKey, '/play', '<type>play</type>'),
    '</http_handlers>',
  ].join('\n');
}

function sessionProfile({ sessionSettings }: Pick<ClickHouseFiles, 'sessionSettings'>): string {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `<${name}>${escape(value)}</${name}>`);
  return `<clickhouse><profiles><default>${settings.join('')}</default></profiles></clickhouse>\n`;
}

function remoteServers({ clusters }: Pick<ClickHouseFiles, 'clusters'>): string {
  if (clusters === undefined) return '<remote_servers/>';
  const secret = `<secret>${escape(clusters.secret)}</secret>`;
  const replica = ({ host, nativePort }: { host: string; nativePort: number }): string =>
    `<replica><host>${escape(host)}</host><port>${nativePort}</port></replica>`;
  const all = Object.entries(clusters.shards).map(
    ([name, shards]) =>
      `<${name}>${secret}${shards.map((shard) => `<shard>${shard.map(replica).join('')}</shard>`).join('')}</${name}>`,
  );
  return `<remote_servers>${all.join('\n')}</remote_servers>`;
}

/**
 * Writes `etc/` of the engine's folder: its own config.xml and users.xml, and next to them copies of
 * `clickhouse/server/config.d` and `users.d`, which the engine merges as a server does.
 * Resolves to the arguments of clickhouse-local that make it a server.
 */
export async function writeClickHouseFiles(files: ClickHouseFiles): Promise<string[]> {
  const { dataDir, settings, rows } = files;
  const etc = join(dataDir, 'etc');
  const config = join(etc, 'config.xml');
  const shared = clickhouseFolder('server');
  await rm(etc, { recursive: true, force: true });
  await privateFolder(etc);
  await privateFolder(join(dataDir, 'data'));
  for (const part of ['config.d', 'users.d']) await cp(join(shared, part), join(etc, part), { recursive: true });
  await writePrivate(join(etc, 'users.xml'), usersXml(files.service, files.users, { settings, rows }));
  await writePrivate(join(etc, 'users.d', 'sessions.xml'), sessionProfile(files));
  const functions = join(dataDir, 'data', 'user_defined');
  await privateFolder(functions);
  for (const [name, [parameters, reason]] of Object.entries(CLOSED_FUNCTIONS)) {
    await writePrivate(join(functions, `function_${name}.sql`), closedFunction(name, parameters, reason));
  }
  await writePrivate(
    config,
    [
      '<clickhouse>',
      '<logger>',
      `<log>${escape(join(dataDir, 'clickhouse.log'))}</log>`,
      `<errorlog>${escape(join(dataDir, 'clickhouse.err.log'))}</errorlog>`,
      '<size>10M</size><count>3</count>',
      '</logger>',
      // The default, 20 times a second, takes 0.4 % of a core of an engine at rest.
      '<memory_worker_period_ms>500</memory_worker_period_ms>',
      `<users_config>${escape(join(etc, 'users.xml'))}</users_config>`,
      `<user_files_path>${escape(join(dataDir, 'data', 'user_files'))}</user_files_path>`,
      // Made after each start: the engine writes them, and does not read them again.
      `<workload_path>${escape(join(etc, 'workload'))}</workload_path>`,
      httpHandlers(files),
      remoteServers(files),
      '</clickhouse>',
      '',
    ].join('\n'),
  );
  const { nativePort } = files;
  return [
    'clickhouse-local',
    '--config-file',
    config,
    '--path',
    join(dataDir, 'data'),
    '--log-level',
    'warning',
    // Interactive, on a terminal of its own: otherwise any error on a connection would end the engine.
    '--interactive',
    '--disable_suggestion',
    '--enable-progress-table-toggle',
    '0',
    '--listen_host',
    files.host,
    '--http_port',
    String(files.httpPort),
    ...(nativePort === undefined ? [] : ['--tcp_port', String(nativePort)]),
    '--query',
    `SYSTEM START LISTEN HTTP; ${nativePort === undefined ? '' : 'SYSTEM START LISTEN TCP; '}` +
      'SELECT sleepEachRow(1) FROM system.numbers FORMAT Null',
  ];
}
