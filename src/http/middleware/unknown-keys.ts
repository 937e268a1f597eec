import { RequestError } from '../../errors.js';
import type { AuthenticateDeps } from './authenticate.js';
import { networkOf } from './network.js';
import { limitHeaders } from './rate-limit.js';

const WINDOW_MS = 60_000;
/** Networks counted in one window. More of them cost the warehouse nothing, because look-ups are shared. */
const MAX_NETWORKS = 50_000;

/**
 * Limits unknown keys per network and minute; each process counts for itself. Known keys are never counted, so they keep
 * working while somebody else guesses keys behind the same address.
 */
export function limitUnknownKeys(limit: number, now: () => number): AuthenticateDeps['limitUnknown'] {
  let windowEnd = 0;
  let counts = new Map<string, number>();

  return (req, res) => () => {
    const nowMs = now();
    // A clock that was put back must not make the window longer.
    if (nowMs >= windowEnd || nowMs < windowEnd - WINDOW_MS || counts.size >= MAX_NETWORKS) {
      windowEnd = nowMs + WINDOW_MS;
      counts = new Map();
    }
    const network = networkOf(req.ip ?? '');
    const count = (counts.get(network) ?? 0) + 1;
    if (count > limit) {
      const reset = Math.max(1, Math.ceil((windowEnd - nowMs) / 1000));
      res.set(limitHeaders({ limit, remaining: 0, reset, isOver: true, subject: 'address' }));
      const message = `Too many unknown API keys came from this address; send the request again in ${reset} s.`;
      throw new RequestError([{ code: 'rate_limited', message }], reset);
    }
    counts.set(network, count);
    return () => counts.set(network, Math.max(0, (counts.get(network) ?? 0) - 1));
  };
}
