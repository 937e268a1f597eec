import { setTimeout as sleep } from 'node:timers/promises';

/** Work for the shops of one shard. */
interface ShardWork {
  shard: number;
  work: () => Promise<void>;
  /** Called instead while the shard does not answer. */
  skip: () => Promise<void>;
}

export interface ShardTurns {
  /** Resolves when the work is done, or waits for slow shards alone. With a single shard it throws what the work throws. */
  run(parts: readonly ShardWork[]): Promise<void>;
}

/** A shard whose work lasts longer holds up no other any more. */
const PATIENCE_MS = 2_000;
/** After a failure the next work of the shard is tried. */
const RETRY_MS = 2_000;

/** Lets the work of each shard take as long as it takes. `onAway` is called with the failure of one of several. */
export function createShardTurns(shards: number, onAway: (error: unknown) => void): ShardTurns {
  const busy = new Set<number>();
  const awayUntil = new Map<number, number>();

  const begin = async ({ shard, work }: ShardWork): Promise<void> => {
    busy.add(shard);
    try {
      await work();
    } catch (error) {
      awayUntil.set(shard, performance.now() + RETRY_MS);
      onAway(error);
    } finally {
      busy.delete(shard);
    }
  };

  return {
    async run(parts) {
      if (shards === 1) {
        for (const { work } of parts) await work();
        return;
      }
      const isAway = ({ shard }: ShardWork): boolean =>
        busy.has(shard) || performance.now() < (awayUntil.get(shard) ?? -Infinity);
      const all = parts.map((part) => (isAway(part) ? part.skip() : begin(part)));
      const patience = new AbortController();
      await Promise.race([
        Promise.all(all),
        sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined),
      ]).finally(() => patience.abort());
    },
  };
}
