import { once, type EventEmitter } from 'node:events';
import { RequestError } from '../errors.js';

/** Counts bytes of a body as they arrive; throws `rate_limited` once there are too many. */
export type CountBytes = (bytes: number) => void;

/** Bounds the memory that request bodies take while they are received and worked on. */
export interface BodyMemoryLimit {
  /**
   * Does work on the body of a request. It counts against the share of its owner until the work has ended, which a client
   * that leaves does not end, and the answer is sent.
   */
  during<T>(
    owner: string,
    res: EventEmitter & { closed?: boolean },
    work: (count: CountBytes) => Promise<T>,
  ): Promise<T>;
}

const TOTAL_BYTES = 256 * 1024 * 1024;
const OWNER_BYTES = 32 * 1024 * 1024;
const RETRY_SECONDS = 1;

/** Each owner has a share far below the total, so that one cannot block the others. */
export function createBodyMemoryLimit({ total = TOTAL_BYTES, each = OWNER_BYTES } = {}): BodyMemoryLimit {
  const byOwner = new Map<string, number>();
  let all = 0;
  const add = (owner: string, bytes: number): void => {
    all += bytes;
    const sum = (byOwner.get(owner) ?? 0) + bytes;
    if (sum > 0) byOwner.set(owner, sum);
    else byOwner.delete(owner);
  };
  return {
    during(owner, res, work) {
      let counted = 0;
      const result = work((bytes) => {
        if ((byOwner.get(owner) ?? 0) + bytes > each || all + bytes > total) {
          const message = `Too many large bodies are on their way; send the request again in ${RETRY_SECONDS} s.`;
          throw new RequestError([{ code: 'rate_limited', message }], RETRY_SECONDS);
        }
        counted += bytes;
        add(owner, bytes);
      });
      // A client that left before now closes nothing any more.
      const closed = res.closed === true ? undefined : once(res, 'close');
      void Promise.allSettled([result, closed]).then(() => add(owner, -counted));
      return result;
    },
  };
}
