import { RateLimiterRes } from 'rate-limiter-flexible';
import { hashCode, nameKey } from '../../domain/people.js';
import { RequestError } from '../../errors.js';

/** Counts the tries of a network, or with a name. */
export interface TryLimiter {
  consume(key: string): Promise<RateLimiterRes>;
  reward(key: string): Promise<RateLimiterRes>;
  delete(key: string): Promise<boolean>;
}

/** A key of one length, whatever was typed. */
export const nameTries = (name: string): string => hashCode(nameKey(name));

export const OF_NETWORK = 'tries from your network';
export const OF_NAME = 'tries with this name';

/** How many tries are left after this one; `of` names them: `tries with this name`. Throws `too_many_tries` where there was none. */
export async function takeTry(tries: Pick<TryLimiter, 'consume'>, key: string, of: string): Promise<number> {
  try {
    return (await tries.consume(key)).remainingPoints;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new RequestError(
      [{ code: 'too_many_tries', message: `Too many ${of}: try again in ${seconds} s.` }],
      seconds,
    );
  }
}
