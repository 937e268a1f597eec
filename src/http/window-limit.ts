import { LRUCache } from 'lru-cache';
import type { LimitState } from './rate-limit.js';

/** Counts a request of a subject. */
export type WindowLimit = (subject: string, nowMs: number) => LimitState;

const WINDOW_MS = 1_000;
const SLOTS = 2 ** 16;
/** Subjects of one window; whoever sends from more addresses than this a second is stopped by the token's limit. */
const MOST_SUBJECTS = 100_000;

/**
 * A limit a second for the collector, counted by each process for itself: a round trip to Redis for every request would
 * cost more than the request. All subjects share one window, so the whole count is dropped at once and nothing is kept of
 * an address for longer than a second.
 */
export function limitBySecond(limit: number, subject: LimitState['subject']): WindowLimit {
  let windowEnd = 0;
  let counts = new Map<string, number>();
  return (id, nowMs) => {
    if (nowMs >= windowEnd || counts.size >= MOST_SUBJECTS) {
      windowEnd = nowMs - (nowMs % WINDOW_MS) + WINDOW_MS;
      counts = new Map();
    }
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return { limit, remaining: Math.max(0, limit - count), reset: 1, isOver: count > limit, subject };
  };
}

/** Memory for {@link limitTogether}: the second that is being counted, then the counts. */
export function createSharedCounts(): SharedArrayBuffer {
  return new SharedArrayBuffer((1 + SLOTS) * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * The same, counted by all threads that are given the same memory. Subjects are told apart by a slot of their own, which
 * two of thousands may share.
 */
export function limitTogether(limit: number, subject: LimitState['subject'], shared: SharedArrayBuffer): WindowLimit {
  const cells = new Int32Array(shared);
  return (id, nowMs) => {
    const second = Math.floor(nowMs / WINDOW_MS) % 2 ** 31;
    const counted = Atomics.load(cells, 0);
    // A thread that is a moment behind counts for the second that the others have begun.
    const isNew = second > counted || second < counted - 1;
    if (isNew && Atomics.compareExchange(cells, 0, counted, second) === counted) cells.fill(0, 1);
    const count = Atomics.add(cells, 1 + slotOf(id), 1) + 1;
    return { limit, remaining: Math.max(0, limit - count), reset: 1, isOver: count > limit, subject };
  };
}

const slots = new LRUCache<string, number>({ max: 10_000 });

function slotOf(id: string): number {
  let slot = slots.get(id);
  if (slot === undefined) slots.set(id, (slot = hashOf(id)));
  return slot;
}

/** FNV-1a. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash >>> 16) ^ (hash & 0xffff);
}
