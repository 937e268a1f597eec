import { backOffMs, pause, TRY_AGAIN } from '../../client/send.js';
import { errorsOf, NoAnswerError, type ApiAnswer } from './api-client.js';

/** Trying again was cut short: by the caller's signal, or because it went on for too long. */
class OutOfPatienceError extends Error {
  override readonly name = 'OutOfPatienceError';
}

/** Sends requests until the service has really answered. Several may be under way; they wait together. */
export interface Patience {
  /**
   * @param send sends the request once
   * @returns the first answer that is not a call to try again
   * @throws OutOfPatienceError when `signal` aborts while waiting, or after `retryForMs` without success
   */
  send(send: () => Promise<ApiAnswer>): Promise<ApiAnswer>;
  /** How often a request was sent again, over all requests. */
  readonly retries: number;
}

/**
 * Answers 429 and 503 are waited out for as long as their `Retry-After` says, by all requests together; other
 * failures (no answer, 408, 500, 502, 504) with a wait that doubles from 250 ms to 5 s. Every wait is stretched at
 * random by up to a fifth, so that requests that failed together don't come back together.
 *
 * @param options `retryForMs` bounds how long a request may go on failing (for a busy service: how long nothing at all may
 *   get through); `onWait` is called at every wait, with a sentence for people
 */
export function createPatience(options: {
  retryForMs: number;
  signal: AbortSignal;
  onWait?: (sentence: string, waitMs: number) => void;
}): Patience {
  const { retryForMs, signal, onWait } = options;
  let holdUntil = 0;
  let lastSuccess = 0;
  let retries = 0;

  const wait = (ms: number): Promise<void> =>
    pause(ms, signal).catch(() => {
      throw new OutOfPatienceError('stopped while waiting to try again');
    });

  async function once(send: () => Promise<ApiAnswer>): Promise<ApiAnswer | NoAnswerError> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof NoAnswerError) return error;
      throw error;
    }
  }

  return {
    get retries() {
      return retries;
    },
    async send(send) {
      let failingSince: number | undefined;
      for (let failures = 0; ; failures++) {
        while (holdUntil > Date.now()) await wait(holdUntil - Date.now());
        if (signal.aborted) throw new OutOfPatienceError('stopped before it was sent');
        if (failures > 0) retries++;
        const answer = await once(send);
        if (!(answer instanceof NoAnswerError) && !TRY_AGAIN.includes(answer.status)) {
          lastSuccess = Date.now();
          return answer;
        }
        failingSince ??= Date.now();
        const asked = answer instanceof NoAnswerError ? undefined : answer.retryAfterMs;
        const waitMs = asked ?? backOffMs(failures);
        const since = asked === undefined ? failingSince : Math.max(failingSince, lastSuccess);
        const sentence = describe(answer);
        if (Date.now() + waitMs - since > retryForMs) {
          throw new OutOfPatienceError(
            `${sentence}; gave up after ${Math.round((Date.now() - since) / 1000)} s of trying`,
          );
        }
        onWait?.(sentence, waitMs);
        if (asked === undefined) await wait(waitMs);
        else holdUntil = Math.max(holdUntil, Date.now() + waitMs);
      }
    },
  };
}

function describe(answer: ApiAnswer | NoAnswerError): string {
  if (answer instanceof NoAnswerError) return answer.message;
  const [first] = errorsOf(answer);
  return `the service answered ${answer.status}${first ? `: ${first.message}` : ''}`;
}
