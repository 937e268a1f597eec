import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { isRequestError, unavailable, type RequestError } from '../errors.js';
import { scriptFile } from './script.js';

/**
 * Answers that are costly and requested often. Each is computed at most once in its lifetime by all processes together; other requests
 * get the same text.
 */
export interface SharedAnswers {
  /**
   * The answer for a subject: one that was computed less than a lifetime ago, else a new one. Throws `store_unavailable` if it can't
   * be computed; an expired answer is never given instead.
   */
  get(subject: string, compute: () => Promise<string>): Promise<string>;
}

export interface SharedAnswerOptions {
  /** Prefix of the keys in Redis, one per kind of answer. */
  name: string;
  lifetimeMs: number;
  /** Longest time of one computation; requests that wait for it wait little longer. */
  computeMs: number;
}

/** How long a failure is shared, so that many pollers do not overload a store that recovers. */
const FAILURE_MS = 1_000;
const POLL_MS = 40;
const GRACE_MS = 500;

const ANSWER = '=';
const FAILURE = '!';

export function createSharedAnswers(redis: Redis, options: SharedAnswerOptions): SharedAnswers {
  const { name, lifetimeMs, computeMs } = options;
  const claim = scriptFile(redis, 'claim-answer');
  const publish = scriptFile(redis, 'publish-answer');
  const inFlight = new Map<string, Promise<string>>();

  const settle = async (subject: string, compute: () => Promise<string>): Promise<string> => {
    const keys = [`answer:${name}:{${subject}}`, `answer:${name}:{${subject}}:lock`];
    const token = randomUUID();
    // The right to compute outlives the longest computation, so that two never overlap.
    const lockMs = computeMs + 2 * GRACE_MS;
    const wanted = { token, lock: lockMs, max_life: Math.max(lifetimeMs, FAILURE_MS) };
    const deadline = performance.now() + lockMs + GRACE_MS;
    while (performance.now() < deadline) {
      const found = String(await claim(keys, wanted).catch(unreachable));
      if (found.startsWith(ANSWER)) return found.slice(1);
      if (found.startsWith(FAILURE)) throw unavailable('store_unavailable', found.slice(1));
      if (found === 'wait') {
        await sleep(POLL_MS);
        continue;
      }
      try {
        const answer = await within(computeMs, compute());
        const done = await publish(keys, { token, answer: ANSWER + answer, life: lifetimeMs }).catch(unreachable);
        if (done === 1) return answer;
      } catch (error) {
        const failure = toUnavailable(error);
        const shared = { token, answer: FAILURE + failure.errors[0].message, life: FAILURE_MS };
        await publish(keys, shared).catch(() => undefined);
        throw failure;
      }
    }
    throw unavailable('store_unavailable', 'The answer took too long to compute; try again shortly.');
  };

  return {
    get(subject, compute) {
      let answer = inFlight.get(subject);
      if (answer === undefined) {
        answer = settle(subject, compute).finally(() => inFlight.delete(subject));
        inFlight.set(subject, answer);
      }
      return answer;
    },
  };
}

function unreachable(cause: unknown): never {
  throw unavailable('store_unavailable', 'The answer is out of reach; try again shortly.', cause);
}

function toUnavailable(error: unknown): RequestError {
  if (isRequestError(error)) return error;
  return unavailable('store_unavailable', 'The answer cannot be computed at the moment; try again shortly.', error);
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  return Promise.race([work, late]);
}
