import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { clickHouseQuery, type ClickHouseAddress } from './clickhouse-query.js';
import { readIfThere, writePrivate } from '../../files.js';

/** What is kept: a newer engine may know other settings, and one that it does not know would keep it from starting. */
interface KnownSettings {
  engine: string;
  names: string[];
}

const file = (dataDir: string): string => join(dataDir, 'settings.json');

const require = createRequire(import.meta.url);

/**
 * The same for all data folders, in the cache folder of the installed packages: without it each new folder with BI users starts its
 * engine a second time (7.6 s instead of 3.4 to 4.2 on a busy machine, 1.3 s of CPU).
 */
const sharedFile = (): string =>
  join(dirname(require.resolve('chdb/package.json')), '..', '.cache', 'clickhouse-settings.json');

/** The package that holds the engine, with its version. */
function installedEngine(): string {
  const { name, version } = require('chdb/package.json') as { name: string; version: string };
  return `${name} ${version}`;
}

/** Names of all settings of the installed engine; undefined until {@link learnSettings} has asked it. */
export async function readKnownSettings(dataDir: string): Promise<string[] | undefined> {
  // The shared one may be unreadable, as another user's.
  const texts = [await readIfThere(file(dataDir)), await readIfThere(sharedFile()).catch(() => undefined)];
  return texts
    .map((text) => (text === undefined ? undefined : (JSON.parse(text) as KnownSettings)))
    .find((known) => known?.engine === installedEngine())?.names;
}

/** Asks the running engine for the names of its settings and keeps them. */
export async function learnSettings(dataDir: string, at: ClickHouseAddress): Promise<void> {
  const names = (await clickHouseQuery(at, "SELECT name FROM system.settings WHERE alias_for = ''", 10_000)).split(
    '\n',
  );
  const known: KnownSettings = { engine: installedEngine(), names };
  await writePrivate(file(dataDir), JSON.stringify(known));
  // Packages may belong to another user: then each data folder has its own alone.
  await mkdir(dirname(sharedFile()), { recursive: true })
    .then(() => writePrivate(sharedFile(), JSON.stringify(known)))
    .catch(() => undefined);
}
