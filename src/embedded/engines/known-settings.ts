import { createRequire } from 'node:module';
import { join } from 'node:path';
import { clickHouseQuery, type ClickHouseAddress } from './clickhouse-query.js';
import { readIfThere, writePrivate } from '../../files.js';

/** What is kept: a newer engine may know other settings, and one that it does not know would keep it from starting. */
interface KnownSettings {
  engine: string;
  names: string[];
}

const file = (dataDir: string): string => join(dataDir, 'settings.json');

/** The package that holds the engine, with its version. */
function installedEngine(): string {
  const { name, version } = createRequire(import.meta.url)('chdb/package.json') as { name: string; version: string };
  return `${name} ${version}`;
}

/** Names of all settings of the installed engine; undefined until {@link learnSettings} has asked it. */
export async function readKnownSettings(dataDir: string): Promise<string[] | undefined> {
  const text = await readIfThere(file(dataDir));
  if (text === undefined) return undefined;
  const known = JSON.parse(text) as KnownSettings;
  return known.engine === installedEngine() ? known.names : undefined;
}

/** Asks the running engine for the names of its settings and keeps them. */
export async function learnSettings(dataDir: string, at: ClickHouseAddress): Promise<void> {
  const names = (await clickHouseQuery(at, "SELECT name FROM system.settings WHERE alias_for = ''", 10_000)).split(
    '\n',
  );
  const known: KnownSettings = { engine: installedEngine(), names };
  await writePrivate(file(dataDir), JSON.stringify(known));
}
