import type { Claim, Marks } from '../src/redis/marks.js';
import { isRefused, refusalName } from '../src/warehouse/failures.js';
import type { Loop } from './loop.js';

export interface ClaimedWork {
  marks: Marks;
  /** Marks of one turn at most. */
  limit: () => number;
  /** Does the work of all claims in one go; repeating it must be harmless. */
  work: (claims: readonly Claim[]) => Promise<void>;
  /** Told of a turn that did all its work: how many marks, and how long it took. */
  took?: (marks: number, ms: number) => void;
  /** Told of a turn that failed as a whole. */
  gaveUp?: () => void;
  /** Told of a mark that fails by itself. */
  onFailed: (claim: Claim, error: unknown) => void;
}

/** A killed worker's claims go back after this time; a living one renews them well before. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** So many marks of one turn may fail by themselves: with more of them the reason is not theirs. */
const MOST_FAILED = 8;

/**
 * A turn claims marks and does their work together. Where the warehouse refuses it, the claims are halved until those that
 * fail by themselves are known: they are set apart and stop nobody. Everything else that fails gives the claims back.
 */
export function createClaimedLoop({ marks, limit, work, took, gaveUp, onFailed }: ClaimedWork): Loop {
  return async () => {
    const claims = await marks.claim(limit(), LEASE_MS);
    if (claims.length === 0) return false;
    const started = performance.now();
    let open: readonly Claim[] = claims;
    let failed = 0;
    const renewal = setInterval(() => void marks.renew(open, LEASE_MS).catch(() => undefined), RENEW_MS);

    const finish = async (done: readonly Claim[]): Promise<void> => {
      await marks.finish(done, performance.now() - started);
      const gone = new Set(done);
      open = open.filter((claim) => !gone.has(claim));
    };
    const attempt = async (part: readonly Claim[]): Promise<void> => {
      try {
        await work(part);
      } catch (error) {
        const [first] = part;
        if (!isRefused(error) || first === undefined || failed >= MOST_FAILED) throw error;
        if (part.length === 1) {
          failed++;
          onFailed(first, error);
          await marks.setApart(first, refusalName(error));
          open = open.filter((claim) => claim !== first);
          return;
        }
        const half = part.length >> 1;
        await attempt(part.slice(0, half));
        await attempt(part.slice(half));
        return;
      }
      await finish(part);
    };

    try {
      await attempt(claims);
      if (failed === 0) took?.(claims.length, performance.now() - started);
    } catch (error) {
      gaveUp?.();
      await marks.release(open).catch(() => undefined); // else the lease runs out
      throw error;
    } finally {
      clearInterval(renewal);
    }
    return true;
  };
}
