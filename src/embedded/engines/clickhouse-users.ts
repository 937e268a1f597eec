import { hash } from 'node:crypto';
import { BI_READER, READER_TABLES, readerGrants, shopFilter, type BiRows } from '../../warehouse/bi/access.js';
import { BI_QUOTA, biProfiles, closedProfile, type SettingsProfile } from '../../warehouse/bi/profiles.js';

/** A user of the embedded engine beyond the service's own. It has exactly the grants listed here, and a password. */
export interface ClickHouseUser {
  /** Letters, digits and `_`, starting with a letter. */
  name: string;
  /** SHA-256 of the password, 64 lower-case hex digits. */
  passwordSha256: string;
  /** Settings profile and quota; `default` when absent. */
  profile?: string;
  quota?: string;
  /** Database chosen when the client names none. */
  defaultDatabase?: string;
  /** Whole statements, such as `GRANT SELECT ON bi.orders`. */
  grants: readonly string[];
  /** Rows of a table this user sees, as an expression over its columns. */
  rowFilters?: readonly { database: string; table: string; filter: string }[];
}

/**
 * The service's own rights: all tables and dictionaries, stopping queries, servers of a cluster. Not the machine's files,
 * foreign addresses or other users.
 */
const serviceGrants = [
  'GRANT SHOW, SELECT, INSERT, ALTER, CREATE, DROP, UNDROP TABLE, TRUNCATE, OPTIMIZE, CHECK, KILL QUERY ON *.*',
  'GRANT SYSTEM ON *.*',
  'GRANT dictGet ON *.*',
  'GRANT CLUSTER ON *.*',
  'GRANT TABLE ENGINE ON *',
  'GRANT READ, WRITE ON REMOTE',
  `GRANT SET DEFINER ON ${BI_READER}`,
];

/** A text as it is in XML. */
export const escape = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${String(character.charCodeAt(0))};`);

const element = (name: string, ...content: string[]): string => {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) throw new Error(`"${name}" cannot be a name in the users file`);
  return `<${name}>${content.join('')}</${name}>`;
};

const grantList = (grants: readonly string[]): string =>
  element('grants', ...grants.map((grant) => element('query', escape(grant))));

function profileElement({ name, settings }: SettingsProfile): string {
  const constraints = settings.map((setting) =>
    element(
      setting.name,
      ...(setting.min === undefined ? [] : [element('min', setting.min)]),
      ...(setting.max === undefined ? [] : [element('max', setting.max)]),
      setting.changeable === true ? '<changeable_in_readonly/>' : '<const/>',
    ),
  );
  const values = settings.map(({ name: setting, value }) =>
    value === undefined ? '' : element(setting, escape(value)),
  );
  return element(name, ...values, element('constraints', ...constraints));
}

/** Owner of the BI views. No one knows a password of this hash. */
const biReader = (rows: BiRows): ClickHouseUser => ({
  name: BI_READER,
  passwordSha256: '0'.repeat(64),
  profile: BI_READER,
  grants: readerGrants(rows),
  rowFilters: READER_TABLES.map((table) => ({
    database: rows.database,
    table,
    filter: shopFilter(rows),
  })),
});

const biQuota = element(
  BI_QUOTA.name,
  element(
    'interval',
    element('duration', String(BI_QUOTA.seconds)),
    element('queries', String(BI_QUOTA.queries)),
    element('execution_time', String(BI_QUOTA.executionSeconds)),
  ),
);

/** The profile of a user with a workload of its own (`workloads.ts`). */
const ownProfile = ({ name, profile = 'default' }: ClickHouseUser): string =>
  element(name, element('profile', profile), element('workload', name));

/** The profile of the engine's session with itself. No setting can be changed, in case anybody else got this session. */
const ENGINE_PROFILE: SettingsProfile = {
  name: 'engine',
  settings: [
    { name: 'max_sessions_for_user', value: '1' },
    { name: 'max_concurrent_queries_for_user', value: '1' },
    { name: 'max_memory_usage', value: '67108864' },
    { name: 'max_threads', value: '1' },
    // What its endless query needs: one row at a time, and no limit on sleep.
    { name: 'max_block_size', value: '1' },
    { name: 'function_sleep_max_microseconds_per_block', value: '0' },
  ],
};

function userElement(user: ClickHouseUser): string {
  if (!/^[0-9a-f]{64}$/.test(user.passwordSha256)) throw new Error(`user "${user.name}" has no SHA-256 of a password`);
  const filters = (user.rowFilters ?? []).map((row) =>
    element(row.database, element(row.table, element('filter', escape(row.filter)))),
  );
  return element(
    user.name,
    element('password_sha256_hex', user.passwordSha256),
    element('networks', element('ip', '127.0.0.1'), element('ip', '::1')),
    element('profile', user.profile ?? 'default'),
    element('quota', user.quota ?? 'default'),
    user.defaultDatabase === undefined ? '' : element('default_database', escape(user.defaultDatabase)),
    grantList(user.grants),
    filters.length === 0 ? '' : element('databases', ...filters),
  );
}

/**
 * The users file of the embedded engine. The engine signs itself in as `default` without a password, so that user must
 * be there; it may open the ports and sleep. The engine's own session is the only one that it can have, and the query that
 * keeps the engine alive its only query, so no one else becomes `default` (nor gets as far: see `clickhouse-config.ts`).
 * `settings` are the names of all settings of the engine, which must be known where there are users; `rows` says whose tables the
 * BI views read.
 * Throws on a name or password that the file cannot hold, and on a name used twice.
 */
export function usersXml(
  service: { username: string; password: string },
  users: readonly ClickHouseUser[],
  { settings = [], rows = { database: 'profit' } }: { settings?: readonly string[]; rows?: BiRows } = {},
): string {
  // A profile that leaves settings open is for no one to use.
  if (users.length > 0 && settings.length === 0) throw new Error('the settings of the engine are not known yet');
  const names = ['default', service.username, BI_READER, ...users.map((user) => user.name)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`user "${twice}" is there already`);
  const passwordSha256 = hash('sha256', service.password);
  return [
    '<clickhouse>',
    '<profiles><default/>',
    profileElement(settings.length > 0 ? closedProfile(ENGINE_PROFILE, settings) : ENGINE_PROFILE),
    ...biProfiles(rows).map((profile) =>
      profileElement(settings.length > 0 ? closedProfile(profile, settings) : profile),
    ),
    ...users.map(ownProfile),
    '</profiles>',
    '<quotas><default/><engine><interval><duration>315360000</duration><queries>3</queries></interval></engine>',
    biQuota,
    '</quotas>',
    '<users>',
    '<default><password/><networks><ip>::1</ip></networks><profile>engine</profile><quota>engine</quota>',
    grantList(['GRANT SYSTEM LISTEN ON *.*', 'GRANT SELECT ON system.numbers']),
    '</default>',
    userElement({ name: service.username, passwordSha256, grants: serviceGrants }),
    userElement(biReader(rows)),
    ...users.map((user) => userElement({ ...user, profile: user.name })),
    '</users>',
    '</clickhouse>',
    '',
  ].join('\n');
}
