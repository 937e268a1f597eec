import type { Response } from 'express';
import { RequestError } from '../errors.js';

/** Counts a request of a subject; throws `rate_limited` with the `RateLimit-*` headers when it is over. */
export type WindowLimit = (subject: string, nowMs: number, res: Response) => WindowState;

export interface WindowState {
  limit: number;
  remaining: number;
}

const WINDOW_MS = 1_000;
/** Subjects of one window; whoever sends from more addresses than this a second is stopped by the token's limit. */
const MOST_SUBJECTS = 100_000;

/**
 * A limit a second for the collector, counted by each process for itself: a round trip to Redis for every request would
 * cost more than the request. All subjects share one window, so the whole count is dropped at once and nothing is kept of
 * an address for longer than a second.
 *
 * @param what names the subject in the message
 */
export function limitBySecond(limit: number, what: string): WindowLimit {
  let windowEnd = 0;
  let counts = new Map<string, number>();
  return (subject, nowMs, res) => {
    if (nowMs >= windowEnd || counts.size >= MOST_SUBJECTS) {
      windowEnd = nowMs - (nowMs % WINDOW_MS) + WINDOW_MS;
      counts = new Map();
    }
    const count = (counts.get(subject) ?? 0) + 1;
    counts.set(subject, count);
    const state = { limit, remaining: Math.max(0, limit - count) };
    if (count <= limit) return state;
    for (const [name, value] of Object.entries(windowHeaders(state))) res.setHeader(name, value);
    const message = `The limit of this ${what} is reached; send the request again in 1 s.`;
    throw new RequestError([{ code: 'rate_limited', message }], 1);
  };
}

export function windowHeaders({ limit, remaining }: WindowState): Record<string, string> {
  return { 'RateLimit-Limit': `${limit}`, 'RateLimit-Remaining': `${remaining}`, 'RateLimit-Reset': '1' };
}
