import type { Process } from '../world/scheduler.js';
import type { SimulatedItem } from './items.js';

/** One item of one attempt to push it. */
export interface Claim {
  shopId: string;
  item: SimulatedItem;
  /** Place in its push. */
  position: number;
  /** When the attempt began, and when its answer came (Infinity: none came), in numbers that only grow. */
  begin: number;
  end: number;
  /** Simulated times of both. */
  beganMs: number;
  endedMs: number;
  /** `unknown`: no answer, or one that a failover may have made untrue. */
  outcome: 'accepted' | 'superseded' | 'unknown';
  /** A failover may have forgotten it after it was answered, or before. */
  mayBeForgotten?: boolean;
}

/** What the clients know of a history. */
export interface HistoryRecord {
  claims: Claim[];
  /** Those of expenses alone: they are looked through after many answers, a twentieth of a shop-year with all others between. */
  expenseClaims: Claim[];
  receipts: { shopId: string; receipt: string; begin: number; end: number; accepted: number }[];
  hasFailover: boolean;
  /**
   * Shops of pushes that a failover has forgotten: their rows may be stored, and of what was left to do with them nobody knows
   * any more. What was accepted before is still theirs, the figures of their days are not checked.
   */
  forgottenShops: Set<string>;
  /** The clocks of the processes told different times. */
  hasSkewedClocks: boolean;
  /** Pushes that are to be sent (null) or wait for the answer of a process. */
  open: Map<object, Process | null>;
  /** Things that went wrong while the history ran. */
  violations: string[];
}

/** Of two items of one key the one that counts: for orders the later `updated_at`, of events the first, else the later push. */
export function countsOver(a: Claim, b: Claim): boolean {
  if (a.item.kind === 'events') return a.endedMs < b.beganMs;
  const [x, y] = [versionOf(a), versionOf(b)];
  if (x !== y) return x > y;
  return a.begin > b.end || (a.begin === b.begin && a.position > b.position);
}

export const versionOf = ({ item }: Claim): number => (item.kind === 'orders' ? item.updatedAt : 0);
