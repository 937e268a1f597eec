import type { RequestHandler, Response } from 'express';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { RequestError } from '../errors.js';
import { authOf } from './authenticate.js';

/** Takes one point of a subject; resolves or rejects with a `RateLimiterRes`. */
export interface Limiter {
  readonly points: number;
  consume(subject: string): Promise<RateLimiterRes>;
}

/** Counts a request; sets the `RateLimit-*` headers and throws `rate_limited` with `Retry-After` when it is over. */
export async function consume(limiter: Limiter, subject: string, res: Response): Promise<void> {
  let state: RateLimiterRes;
  let over = false;
  try {
    state = await limiter.consume(subject);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    state = error;
    over = true;
  }
  const reset = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  res.setHeader('RateLimit-Limit', String(limiter.points));
  res.setHeader('RateLimit-Remaining', String(Math.max(0, state.remainingPoints)));
  res.setHeader('RateLimit-Reset', String(reset));
  if (over) {
    const message = `The limit of this key is reached; send the request again in ${reset} s.`;
    throw new RequestError([{ code: 'rate_limited', message }], reset);
  }
}

/** Limits requests by the key that made them. */
export function limitByKey(limiter: Limiter): RequestHandler {
  return async (_req, res, next) => {
    await consume(limiter, authOf(res).keyId, res);
    next();
  };
}
