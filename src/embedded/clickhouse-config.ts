import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder, projectRoot, writePrivate } from './files.js';
import { usersXml, type ClickHouseUser } from './clickhouse-users.js';

/** What the files of the embedded engine are written from. */
export interface ClickHouseFiles {
  dataDir: string;
  host: string;
  httpPort: number;
  tcpPort: number;
  service: { username: string; password: string };
  users: readonly ClickHouseUser[];
  /** Names of all settings of the engine; needed where there are users. */
  settings: readonly string[];
  /** The service's own database. */
  database: string;
}

/**
 * The function `file` needs no grant and in this engine reads any file of the machine, the tables' own included. A function
 * of the same name that the engine finds in its folder goes before it; through SQL none could be made.
 */
const noFiles = "CREATE FUNCTION file AS (path) -> throwIf(1, 'files cannot be read here')";

const text = (value: string): string => value.replace(/[<>&]/g, (character) => `&#${String(character.charCodeAt(0))};`);

/**
 * Writes `etc/` of the engine's folder: its own config.xml and users.xml, and beside them copies of
 * `clickhouse/server/config.d` and `users.d`, which the engine merges as a server does.
 * Resolves to the arguments of clickhouse-local that make it a server.
 */
export async function writeClickHouseFiles(files: ClickHouseFiles): Promise<string[]> {
  const { dataDir, settings, database } = files;
  const etc = join(dataDir, 'etc');
  const config = join(etc, 'config.xml');
  const shared = join(projectRoot(), 'clickhouse', 'server');
  await rm(etc, { recursive: true, force: true });
  await privateFolder(etc);
  await privateFolder(join(dataDir, 'data'));
  for (const part of ['config.d', 'users.d']) await cp(join(shared, part), join(etc, part), { recursive: true });
  await writePrivate(join(etc, 'users.xml'), usersXml(files.service, files.users, { settings, database }));
  await privateFolder(join(dataDir, 'data', 'user_defined'));
  await writePrivate(join(dataDir, 'data', 'user_defined', 'function_file.sql'), noFiles);
  await writePrivate(
    config,
    [
      '<clickhouse>',
      '<logger>',
      `<log>${text(join(dataDir, 'clickhouse.log'))}</log>`,
      `<errorlog>${text(join(dataDir, 'clickhouse.err.log'))}</errorlog>`,
      '<size>10M</size><count>3</count>',
      '</logger>',
      `<users_config>${text(join(etc, 'users.xml'))}</users_config>`,
      `<user_files_path>${text(join(dataDir, 'data', 'user_files'))}</user_files_path>`,
      '</clickhouse>',
      '',
    ].join('\n'),
  );
  return [
    'clickhouse-local',
    ...['--config-file', config, '--path', join(dataDir, 'data'), '--log-level', 'warning'],
    ...['--listen_host', files.host, '--http_port', String(files.httpPort), '--tcp_port', String(files.tcpPort)],
    '--query',
    'SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT sleepEachRow(1) FROM system.numbers FORMAT Null ' +
      'SETTINGS max_block_size=1, function_sleep_max_microseconds_per_block=0',
  ];
}
