import type { Response } from 'express';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { hashCode, nameKey } from '../../domain/people.js';
import { refuse } from './guard.js';

/** Counts the tries of a network, or with a name. */
export interface TryLimiter {
  consume(key: string): Promise<RateLimiterRes>;
  reward(key: string): Promise<RateLimiterRes>;
  delete(key: string): Promise<boolean>;
}

/** A key of one length, whatever was typed. */
export const nameTries = (name: string): string => hashCode(nameKey(name));

/** How many tries are left after this one; null: there was none, and the answer is sent. */
export async function takeTry(
  tries: TryLimiter,
  key: string,
  { res, of }: { res: Response; of: string },
): Promise<number | null> {
  try {
    return (await tries.consume(key)).remainingPoints;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    res.setHeader('Retry-After', String(seconds));
    refuse(res, 429, 'too_many_tries', `Too many tries ${of}: try again in ${seconds} s.`);
    return null;
  }
}
