import type { Response } from 'express';
import { RequestError } from '../../errors.js';

/** State of a limit after a request was counted. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Seconds until the limit is reset. */
  reset: number;
  /** Whether the request is one too many. */
  isOver: boolean;
  /** Whose limit it is, for the message. */
  subject: 'key' | 'token' | 'address';
}

export function limitHeaders({ limit, remaining, reset }: LimitState): Record<string, string> {
  return { 'RateLimit-Limit': `${limit}`, 'RateLimit-Remaining': `${remaining}`, 'RateLimit-Reset': `${reset}` };
}

/** The same as a flat list, which is the fastest form for `writeHead`. */
export function limitHeaderList({ limit, remaining, reset }: LimitState): string[] {
  return ['RateLimit-Limit', `${limit}`, 'RateLimit-Remaining', `${remaining}`, 'RateLimit-Reset', `${reset}`];
}

/** Throws `rate_limited`, with the headers that say when to try again, when the request is over the limit. */
export function requireWithin(state: LimitState, res: Response): void {
  if (!state.isOver) return;
  res.set(limitHeaders(state));
  const message = `The limit of this ${state.subject} is reached; send the request again in ${state.reset} s.`;
  throw new RequestError([{ code: 'rate_limited', message }], state.reset);
}
