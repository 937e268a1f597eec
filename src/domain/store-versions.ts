/** Which servers the service works with, and what is known to be wrong with some of them. */

/** A server as it tells of itself; `at` is its host and port. */
export interface StoreVersion {
  program: 'ClickHouse' | 'Redis' | 'Valkey';
  version: string;
  at: string;
}

/** Names the servers that are too old. */
export class VersionError extends Error {
  override readonly name = 'VersionError';
}

const LEAST = { ClickHouse: '26.7', Redis: '7.0', Valkey: '7.2' } as const;

/** The versions to take; of ClickHouse and Redis those that the deployments of this project pin. */
const ADVISED = { ClickHouse: '26.7.6.49', Redis: '7.4.6', Valkey: '8.1.4' } as const;

/** The first versions without the holes below, one of each line; later lines have none. */
const MENDED = {
  ClickHouse: ['26.7.6.5'],
  Redis: ['7.2.11', '7.4.6', '8.0.4', '8.2.2'],
  Valkey: ['7.2.11', '8.0.6', '8.1.4'],
} as const;

const OF_SCRIPTS =
  'CVE-2025-49844 (a Lua script can run any code in the server) and CVE-2025-46817, 46818 and 46819, unless its packager has mended them';
const HOLES = {
  ClickHouse: 'the hole that the table function mergeTreeIndex shows keys of rows that a row policy hides',
  Redis: OF_SCRIPTS,
  Valkey: OF_SCRIPTS,
} as const;

/** Undefined: the service works with it. */
export function versionFault({ program, version, at }: StoreVersion): string | undefined {
  if (compare(version, LEAST[program]) >= 0) return undefined;
  return `${program} ${version} at ${at} is too old: the service needs ${LEAST[program]} or later, best ${ADVISED[program]} or later`;
}

/** What the operator should know of a server that the service works with; undefined: nothing. */
export function versionWarning({ program, version, at }: StoreVersion): string | undefined {
  const take = `take ${ADVISED[program]} or later`;
  if (!isMended(program, version)) return `${program} ${version} at ${at} has ${HOLES[program]}: ${take}`;
  if (program !== 'ClickHouse' || compare(version, ADVISED.ClickHouse) >= 0) return undefined;
  return `${program} ${version} at ${at} is older than the one that the deployments of this project name: ${take}`;
}

function isMended(program: StoreVersion['program'], version: string): boolean {
  const lines: readonly string[] = MENDED[program];
  const ofLine = lines.find((mended) => compare(mended.split('.', 2).join('.'), version, 2) === 0);
  return compare(version, ofLine ?? lines.at(-1) ?? '') >= 0;
}

/** Below, equal to or above 0, by as many numbers as the second has or `places`. */
function compare(a: string, b: string, places = b.split('.').length): number {
  const [left, right] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < places; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
