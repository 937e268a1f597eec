import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json above this module: the same from the sources and from `dist`. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json was not found above the sources');
    folder = parent;
  }
  return folder;
}

/** A folder of the SQL, such as `migrations`. */
export function clickhouseFolder(name: string): string {
  return join(projectRoot(), 'clickhouse', name);
}
