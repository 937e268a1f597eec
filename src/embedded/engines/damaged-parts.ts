import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clickHouseQuery, type ClickHouseAddress } from './clickhouse-query.js';
import type { EngineLog } from './engine.js';

/** Files of a part that the engine does not count in its size. */
const UNCOUNTED = new Set([
  'checksums.txt',
  'columns.txt',
  'columns_substreams.txt',
  'default_compression_codec.txt',
  'metadata_version.txt',
]);

interface Part {
  path: string;
  /** `database`.`table` */
  table: string;
  name: string;
  /** Size of its content according to the engine. */
  bytes: number;
}

/** The parts stored since a time of the engine's clock, in seconds since 1970. */
async function partsSince(engine: ClickHouseAddress, since: number): Promise<Part[]> {
  const answer = await clickHouseQuery(
    engine,
    `SELECT path, bytes_on_disk, concat('\`', database, '\`.\`', table, '\`'), name
     FROM system.parts WHERE active AND toUnixTimestamp(modification_time) >= ${since}
     FORMAT TSVRaw`,
    QUERY_MS,
  );
  return answer.split('\n').flatMap((line) => {
    const [path, bytes, table, name] = line.split('\t');
    return path && bytes && table && name ? [{ path, bytes: Number(bytes), table, name }] : [];
  });
}

/** Whether the part on the disk is smaller than the engine's size of it. Throws if the part was just removed. */
async function isCut({ path, bytes }: Part): Promise<boolean> {
  const names = await readdir(path);
  const sizes = await Promise.all(names.map(async (name) => ({ name, size: (await stat(join(path, name))).size })));
  const content = sizes.filter(({ name }) => !UNCOUNTED.has(name)).reduce((sum, { size }) => sum + size, 0);
  return content < bytes || sizes.some(({ name, size }) => UNCOUNTED.has(name) && size === 0);
}

/** Whether a check of the engine finds the part broken too. Throws if the check fails, or if the part was just removed. */
async function isBroken(engine: ClickHouseAddress, { table, name }: Part): Promise<boolean> {
  const check = `CHECK TABLE ${table} PART '${name}' SETTINGS check_query_single_value_result = 1`;
  return (await clickHouseQuery(engine, check, QUERY_MS)) === '0';
}

/**
 * The first of these parts of which the disk holds less than it should; undefined when all are whole.
 * Throws when none is found, but the engine did not say whether one that is cut is broken.
 */
async function findDamaged(engine: ClickHouseAddress, parts: readonly Part[]): Promise<string | undefined> {
  const untold: unknown[] = [];
  for (const part of parts) {
    // One that a merge or a truncation took away meanwhile is none.
    if (!(await isCut(part).catch(() => false))) continue;
    try {
      if (await isBroken(engine, part)) return part.path;
    } catch (error) {
      untold.push(error);
    }
  }
  if (untold.length > 0) throw new AggregateError(untold, 'cut parts that could not be checked');
  return undefined;
}

const QUERY_MS = 5_000;
const EVERY_MS = 5_000;
/** A part may become visible some seconds after its modification time. */
const OVERLAP_S = 10;

/**
 * Kills the engine when a stored part is damaged. After its restart the engine detaches the part and uses again the parts that a merge
 * made it from, which it keeps for eight minutes.
 *
 * If the disk fills up during a merge or an insert, the engine does not notice that a write fails: the part counts as stored but lacks
 * content, whatever the settings of fsync are. Therefore the engine begins neither while there is little free space
 * (`keep_free_space_bytes`); this check is for a disk that other programs fill suddenly.
 */
export function watchParts(
  current: () => ClickHouseAddress & { pid: number },
  log: EngineLog,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const told = new Set<string>();
  let since = Math.floor(Date.now() / 1_000);

  const look = async (): Promise<void> => {
    const engine = current();
    const at = Number(await clickHouseQuery(engine, 'SELECT toUnixTimestamp(now())', QUERY_MS));
    const part = await findDamaged(engine, await partsSince(engine, since - OVERLAP_S));
    since = at;
    if (part === undefined || told.has(part)) return;
    told.add(part);
    log.error({ part }, 'a stored part is damaged, as by a full disk: the engine starts anew without it');
    if (current().pid === engine.pid) process.kill(engine.pid, 'SIGKILL');
  };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // An engine that is away or busy is asked again, for the same parts.
      await look().catch(() => undefined);
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const done = watch();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
