import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest folder above the code that runs, bundled or not, in which there is an entry of this name. */
function folderAbove(entry: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, entry))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`${entry} was not found above the code`);
    folder = parent;
  }
  return folder;
}

/** The folder of package.json: the same from the sources and from `dist`. */
export const projectRoot = (): string => folderAbove('package.json');

/** A file of the sources that is no module, by its path below `src`; from `dist` it is the copy that the build made there. */
export const sourceFile = (path: string): string => join(folderAbove('src'), 'src', path);

/** A folder of the SQL, such as `migrations`. */
export function clickhouseFolder(name: string): string {
  return join(projectRoot(), 'clickhouse', name);
}
