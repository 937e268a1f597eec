import { fileURLToPath } from 'node:url';

/** The SQL beside the sources; compiled files stand one folder deeper, under `dist`. */
export function clickhouseFolder(name: string): string {
  const root = import.meta.url.includes('/dist/src/') ? '../../../' : '../../';
  return fileURLToPath(new URL(`${root}clickhouse/${name}`, import.meta.url));
}
