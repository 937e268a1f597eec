import {
  BI_DATABASE,
  BI_GRANTS,
  BI_LOCAL_GRANT,
  BI_PROFILE,
  BI_READER,
  READER_TABLES,
  readerGrants,
  shopFilter,
  type BiRows,
} from './access.js';
import type { Warehouse } from '../client.js';
import { literal } from '../sql.js';
import {
  BI_QUOTA,
  BI_WORKLOAD,
  CPU_RESOURCE,
  biProfiles,
  closedProfile,
  type ProfileSetting,
  type SettingsProfile,
} from './profiles.js';
import { defineQuery, texts } from '../query.js';

/** The rights of `access.ts` as SQL, for a server that keeps users itself. */

const grantSql = (grant: string, user: string): string => `${grant} TO ${user}`;

function settingSql({ name, value, min, max, changeable }: ProfileSetting): string {
  return [
    name,
    ...(value === undefined ? [] : [`= ${literal(value)}`]),
    ...(min === undefined ? [] : [`MIN ${literal(min)}`]),
    ...(max === undefined ? [] : [`MAX ${literal(max)}`]),
    changeable === true ? 'CHANGEABLE_IN_READONLY' : 'CONST',
  ].join(' ');
}

/** By `ALTER`: a profile that is replaced gets a new id, and users go on naming the old one. */
const profileSql = ({ name, settings }: SettingsProfile): string[] => [
  `CREATE SETTINGS PROFILE IF NOT EXISTS ${name}`,
  `ALTER SETTINGS PROFILE ${name} SETTINGS ${settings.map(settingSql).join(', ')}`,
];

/**
 * Makes the owner of the views, after the profiles: no one can sign in as it, and it reads the rows of one shop in a list of tables. Everybody
 * else keeps seeing every row of those tables, whatever the server does with users that no policy names.
 */
export function readerStatements(rows: BiRows): string[] {
  const { database } = rows;
  return [
    `CREATE USER IF NOT EXISTS ${BI_READER} IDENTIFIED WITH sha256_hash BY '${'0'.repeat(64)}' HOST NONE`,
    `ALTER USER ${BI_READER} SETTINGS PROFILE '${BI_READER}'`,
    ...readerGrants(rows).map((grant) => grantSql(grant, BI_READER)),
    ...READER_TABLES.flatMap((table) => [
      `CREATE ROW POLICY OR REPLACE ${BI_READER} ON ${database}.${table} USING ${shopFilter(rows)} TO ${BI_READER}`,
      `CREATE ROW POLICY OR REPLACE ${BI_READER}_others ON ${database}.${table} USING 1 TO ALL EXCEPT ${BI_READER}`,
    ]),
  ];
}

const SETTING_NAMES = defineQuery('names of settings', texts('name'));

/**
 * Half of the cores of a server, rounded down, for all BI users together; with one core it bounds nothing. Their profile names the workload
 * `bi`, so an operator may alter it. The embedded engine has workloads of its own (`embedded/engines/workloads.ts`).
 */
export const WORKLOAD_STATEMENTS: readonly string[] = [
  CPU_RESOURCE,
  `CREATE WORKLOAD IF NOT EXISTS ${BI_WORKLOAD} SETTINGS max_concurrent_threads_ratio_to_cores = 0.5`,
];

/** The names of all settings of a server: a newer one may have more, which the profiles must fix too. */
export async function settingNames(warehouse: Warehouse): Promise<string[]> {
  const rows = await warehouse.ask(SETTING_NAMES("SELECT name FROM system.settings WHERE alias_for = ''"));
  return rows.map(({ name }) => name);
}

/** The settings profiles of the owner of the views and of every BI user. `settings` are the names of all settings of the server. */
export const profileStatements = (settings: readonly string[], rows: Pick<BiRows, 'isSharded'> = {}): string[] =>
  biProfiles(rows).flatMap((profile) => profileSql(closedProfile(profile, settings)));

/**
 * One BI user: may read `bi`; whose rows it sees there says the table `bi_users`. Profile, quota and grants are its own and
 * come by no role, since a role can be put down with `SET ROLE NONE`.
 */
export function userStatements(
  { name, passwordSha256 }: { name: string; passwordSha256: string },
  { isSharded = false }: Pick<BiRows, 'isSharded'> = {},
): string[] {
  const { seconds, queries, executionSeconds } = BI_QUOTA;
  return [
    `CREATE USER ${name} IDENTIFIED WITH sha256_hash BY ${literal(passwordSha256)} DEFAULT DATABASE ${BI_DATABASE} ` +
      `SETTINGS PROFILE ${literal(BI_PROFILE)}`,
    `CREATE QUOTA OR REPLACE ${name} FOR INTERVAL ${seconds} SECOND ` +
      `MAX queries = ${queries}, execution_time = ${executionSeconds} TO ${name}`,
    ...[...BI_GRANTS, ...(isSharded ? [BI_LOCAL_GRANT] : [])].map((grant) => grantSql(grant, name)),
  ];
}

export function dropUserStatements(name: string): string[] {
  return [`DROP USER IF EXISTS ${name}`, `DROP QUOTA IF EXISTS ${name}`];
}
