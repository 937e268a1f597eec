import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores } from '../../composition/stores.js';
import { isRequestError } from '../../errors.js';
import { giveBack, isClaimed, whileHeld } from '../../redis/write-fence.js';
import { insertsAreOver } from '../../warehouse/backup/inserts.js';
import { whileStopped } from '../../warehouse/backup/merges.js';
import { contentOf, contentOnAll } from '../../warehouse/backup/tables.js';
import { MoveError, stagingOf, type Move } from './move-types.js';
import { copyNew } from './rounds.js';

const HELD_MS = 120_000;
const POLL_MS = 200;

/**
 * Copies the rest while writes are held, compares, and lets processes of the new warehouse alone write. Resolves when one of them does; if
 * none is started in time, the earlier warehouse goes on and this throws a {@link MoveError}.
 */
export async function switchOver(redis: Stores['redis'], move: Move, requireLock: () => Promise<void>): Promise<void> {
  const { ids, heldMs = HELD_MS, onStep, onReady } = move;
  const late = AbortSignal.timeout(heldMs);
  const signal = AbortSignal.any([move.signal, late]);
  const goneOn = (): MoveError =>
    new MoveError(
      `writes were held for ${Math.round(heldMs / 1_000)} s and go on where they were: run it again, at a time of fewer pushes`,
    );
  try {
    onStep?.('hold');
    await whileHeld(redis, async (hold) => {
      await insertsAreOver(
        move.from.all.map(({ warehouse }) => warehouse),
        signal,
      );
      // Parts keep their names meanwhile.
      await whileStopped('MERGES', move.from, move.tables, async () => {
        onStep?.('copy');
        while ((await copyNew(move, signal)) > 0);
        onStep?.('compare');
        await compare(move, signal);
      });
      onStep?.('place');
      for (const table of move.tables) {
        signal.throwIfAborted();
        await move.staging.putInPlace(table);
      }
      await requireLock();
      onStep?.('switch');
      await hold.setHome(ids.to);
    });
  } catch (error) {
    throw late.aborted && !move.signal.aborted ? goneOn() : error;
  }
  onReady?.();
  while (!(await isClaimed(redis, ids.to).catch(unlessAway))) {
    if (signal.aborted && (await giveBack(redis, ids.from))) {
      move.signal.throwIfAborted();
      throw goneOn();
    }
    await sleep(POLL_MS);
  }
}

/** A Redis that is away says nothing of whether processes of the new warehouse write: it is asked again. */
function unlessAway(error: unknown): false {
  if (isRequestError(error)) return false;
  throw error;
}

/** Throws a {@link MoveError} unless both have the same rows in every table. What differs is copied again by the next try. */
async function compare(move: Move, signal: AbortSignal): Promise<void> {
  const { from, to, tables, staging, copied } = move;
  const differing: string[] = [];
  for (const table of tables) {
    signal.throwIfAborted();
    const contents = [
      contentOnAll(from, table, (warehouse) => contentOf(warehouse, from.rows, table)),
      contentOnAll(to, table, (warehouse) => contentOf(warehouse, stagingOf(to), table)),
    ] as const;
    const [was, is] = await unlessAborted(Promise.all(contents), signal);
    if (was.rows === is.rows && was.hash === is.hash) continue;
    differing.push(`"${table.name}" came to ${is.rows} rows that differ from the ${was.rows} there were`);
    await staging.clear(table);
    await copied.forget(table.name);
  }
  if (differing.length > 0)
    throw new MoveError(
      `${differing.join('; ')}: writes go on where they were; run it again, and that is copied again`,
    );
}

/** Throws when the signal aborts; what the work began goes on alone. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController();
  // Its rejection is of no use once the signal has aborted.
  work.catch(() => undefined);
  const aborted = once(signal, 'abort', { signal: done.signal }).then(
    () => signal.throwIfAborted(),
    () => undefined,
  );
  try {
    await Promise.race([work, aborted]);
    return await work;
  } finally {
    done.abort();
  }
}
