import type { Claim, RebuildQueue } from '../src/redis/rebuild-queue.js';
import { isRefused, refusalName } from '../src/warehouse/failures.js';
import { byShard } from '../src/domain/shard-of.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { shardAt, type WarehouseShards } from '../src/warehouse/cluster/sharded-warehouse.js';
import { bisect } from './bisect.js';
import { createShardTurns } from './shard-turns.js';
import type { Loop } from './loop.js';

export interface ClaimedWork {
  queue: RebuildQueue;
  /** Entries of one turn at most. */
  limit: () => number;
  /** The work of the shops of one shard waits for no other shard. */
  shards: WarehouseShards;
  /**
   * Does the work of all claims in one go, all of shops of one shard; repeating it must be harmless. False: how long it took
   * says nothing of what one claim costs.
   */
  work: (claims: readonly Claim[], warehouse: Warehouse) => Promise<boolean>;
  /** Called for work that was done and says what a claim costs: how many claims, and how long it took. */
  took?: (entries: number, ms: number) => void;
  /** Called for work that failed as a whole. */
  gaveUp?: () => void;
  /** Called with the failure of one shard of several; the work is tried again later. */
  onAway: (error: unknown) => void;
  /** Called for an entry that fails by itself. */
  onFailed: (claim: Claim, error: unknown) => void;
}

/** A killed worker's claims go back after this time; a living one renews them well before. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** Claims of a shard that does not answer are taken up again after this time. */
const SKIP_MS = 3_000;
/** So many entries of one turn may fail by themselves: with more of them the reason is not theirs. */
const MAX_FAILED = 8;

/**
 * A turn claims entries and does their work together. Where the warehouse refuses it, the claims are halved until those that
 * fail by themselves are known: they are quarantined and stop no one. Everything else that fails gives the claims back. Claims of a
 * shard that is away are kept for some seconds.
 */
export function createClaimedLoop(options: ClaimedWork): Loop {
  const { queue, limit, shards, onAway } = options;
  const turns = createShardTurns(shards.each.length, onAway);
  let isIdle = false;
  return async () => {
    // One command, where a claim looks through all that waits, rests and is claimed.
    if (isIdle && (await queue.count()) === 0) return 'idle';
    const claims = await queue.claim(limit(), LEASE_MS);
    isIdle = claims.length === 0 && (await queue.count()) === 0;
    if (claims.length === 0) return isIdle && 'idle';
    const groups = byShard(claims, ({ shopId }) => shards.of(shopId));
    await turns.run(
      [...groups].map(([shard, group]) => ({
        shard,
        work: () => workOn(options, group),
        skip: () => queue.renew(group, SKIP_MS),
      })),
    );
    return true;
  };
}

/** The work of claims of one shard. */
async function workOn(options: ClaimedWork, claims: readonly Claim[]): Promise<void> {
  const { queue, shards, work, took, gaveUp, onFailed } = options;
  const warehouse = shardAt(shards, claims[0]?.shopId ?? '');
  const started = performance.now();
  let open: readonly Claim[] = claims;
  let failed = 0;
  const telling: boolean[] = [];
  const renewal = setInterval(() => void queue.renew(open, LEASE_MS).catch(() => undefined), RENEW_MS);

  const finish = async (done: readonly Claim[]): Promise<void> => {
    await queue.finish(done, performance.now() - started);
    const gone = new Set(done);
    open = open.filter((claim) => !gone.has(claim));
  };
  try {
    await bisect(claims, {
      work: async (part) => {
        telling.push(await work(part, warehouse));
        await finish(part);
      },
      mayBlame: (error) => isRefused(error) && failed < MAX_FAILED,
      blame: async (claim, error) => {
        failed++;
        onFailed(claim, error);
        await queue.quarantine(claim, refusalName(error));
        open = open.filter((other) => other !== claim);
      },
    });
    if (failed === 0 && !telling.includes(false)) took?.(claims.length, performance.now() - started);
  } catch (error) {
    gaveUp?.();
    await queue.release(open).catch(() => undefined); // else the lease runs out
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
