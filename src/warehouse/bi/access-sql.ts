import {
  BI_DATABASE,
  BI_GRANTS,
  BI_PROFILE,
  BI_PROFILES,
  BI_QUOTA,
  BI_READER,
  BI_USERS,
  READER_TABLES,
  READER_VIEWS,
  closedProfile,
  shopFilter,
  type ProfileSetting,
  type SettingsProfile,
} from './access.js';

/** The rights of `bi-access.ts` as SQL, for a server that keeps users itself. `{on_cluster}` stands for what a cluster adds. */

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function settingSql({ name, value, min, max, changeable }: ProfileSetting): string {
  return [
    name,
    ...(value === undefined ? [] : [`= ${quote(value)}`]),
    ...(min === undefined ? [] : [`MIN ${quote(min)}`]),
    ...(max === undefined ? [] : [`MAX ${quote(max)}`]),
    changeable === true ? 'CHANGEABLE_IN_READONLY' : 'CONST',
  ].join(' ');
}

/** By `ALTER`: a profile that is replaced gets a new id, and users go on naming the old one. */
const profileSql = ({ name, settings }: SettingsProfile): string[] => [
  `CREATE SETTINGS PROFILE IF NOT EXISTS ${name} {on_cluster}`,
  `ALTER SETTINGS PROFILE ${name} {on_cluster} SETTINGS ${settings.map(settingSql).join(', ')}`,
];

/**
 * Makes the owner of the views, after the profiles: nobody can sign in as it, and it reads the rows of one shop in a list of tables. Everybody
 * else keeps seeing every row of those tables, whatever the server does with users that no policy names.
 */
export function readerStatements(database: string): string[] {
  return [
    `CREATE USER IF NOT EXISTS ${BI_READER} {on_cluster} IDENTIFIED WITH sha256_hash BY '${'0'.repeat(64)}' HOST NONE`,
    `ALTER USER ${BI_READER} {on_cluster} SETTINGS PROFILE '${BI_READER}'`,
    `GRANT {on_cluster} SELECT ON ${database}.${BI_USERS} TO ${BI_READER}`,
    ...READER_VIEWS.map((view) => `GRANT {on_cluster} SELECT ON ${BI_DATABASE}.${view} TO ${BI_READER}`),
    ...READER_TABLES.flatMap((table) => [
      `GRANT {on_cluster} SELECT ON ${database}.${table} TO ${BI_READER}`,
      `CREATE ROW POLICY OR REPLACE ${BI_READER} {on_cluster} ON ${database}.${table} USING ${shopFilter(database)} TO ${BI_READER}`,
      `CREATE ROW POLICY OR REPLACE ${BI_READER}_others {on_cluster} ON ${database}.${table} USING 1 TO ALL EXCEPT ${BI_READER}`,
    ]),
  ];
}

/** The settings profiles of the owner of the views and of every BI user. `settings` are the names of all settings of the server. */
export const profileStatements = (settings: readonly string[]): string[] =>
  BI_PROFILES.flatMap((profile) => profileSql(closedProfile(profile, settings)));

/**
 * One BI user: may read `bi`; whose rows it sees there says the table `bi_users`. Profile, quota and grants are its own and
 * come by no role, since a role can be put down with `SET ROLE NONE`.
 */
export function userStatements({ name, passwordSha256 }: { name: string; passwordSha256: string }): string[] {
  const { seconds, queries, executionSeconds } = BI_QUOTA;
  return [
    `CREATE USER ${name} {on_cluster} IDENTIFIED WITH sha256_hash BY ${quote(passwordSha256)} DEFAULT DATABASE ${BI_DATABASE} ` +
      `SETTINGS PROFILE ${quote(BI_PROFILE)}`,
    `CREATE QUOTA OR REPLACE ${name} {on_cluster} FOR INTERVAL ${seconds} SECOND ` +
      `MAX queries = ${queries}, execution_time = ${executionSeconds} TO ${name}`,
    ...BI_GRANTS.map((grant) => `${grant.replace('GRANT ', 'GRANT {on_cluster} ')} TO ${name}`),
  ];
}

/** Gives a user that there is already the profile, in place of all settings of its own. */
export const profileOfUserStatement = (name: string): string =>
  `ALTER USER IF EXISTS ${name} {on_cluster} SETTINGS PROFILE ${quote(BI_PROFILE)}`;

export function dropUserStatements(name: string): string[] {
  return [`DROP USER IF EXISTS ${name} {on_cluster}`, `DROP QUOTA IF EXISTS ${name} {on_cluster}`];
}
