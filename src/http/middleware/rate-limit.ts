import type { RequestHandler, Response } from 'express';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { RequestError } from '../../errors.js';
import { authOf } from './authenticate.js';

/** Takes one point of a subject; resolves or rejects with a `RateLimiterRes`. */
export interface Limiter {
  readonly points: number;
  consume(subject: string): Promise<RateLimiterRes>;
}

/** State of a limit after a request was counted. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Seconds until the limit begins anew. */
  reset: number;
  /** Whether the request is one too many. */
  isOver: boolean;
  /** Whose limit it is, for the message. */
  subject: 'key' | 'token' | 'address';
}

/** Counts a request of a subject: at once while the process holds points of this second, else after asking Redis for some. */
export type WindowLimit = (subject: string, nowMs: number) => LimitState | Promise<LimitState>;

/** Counts a request of a subject. */
export async function consume(limiter: Limiter, subject: string): Promise<LimitState> {
  let state: RateLimiterRes;
  let isOver = false;
  try {
    state = await limiter.consume(subject);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    state = error;
    isOver = true;
  }
  const reset = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return { limit: limiter.points, remaining: Math.max(0, state.remainingPoints), reset, isOver, subject: 'key' };
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

/** Limits requests by the key that made them. */
export function limitByKey(limit: WindowLimit, now: () => number): RequestHandler {
  return async (_req, res, next) => {
    const state = await limit(authOf(res).keyId, now());
    requireWithin(state, res);
    res.set(limitHeaders(state));
    next();
  };
}
