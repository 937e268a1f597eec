import type { EventEmitter } from 'node:events';
import { RequestError } from '../../errors.js';

/** Counts bytes of a body as they arrive; throws `rate_limited` once there are too many. */
export type HoldBytes = (bytes: number) => void;

/** Bounds the memory that request bodies take while they are received and worked on. */
export interface BodyRoom {
  /**
   * Does work on the body of a request. It counts against the share of its owner until the work has ended, which a client
   * that leaves does not end, and the answer is sent.
   */
  of<T>(owner: string, res: EventEmitter, work: (hold: HoldBytes) => Promise<T>): Promise<T>;
}

const TOTAL_BYTES = 256 * 1024 * 1024;
const OWNER_BYTES = 32 * 1024 * 1024;
const RETRY_SECONDS = 1;

/** Each owner has a share far below the total, so that one cannot block the others. */
export function createBodyRoom({ total = TOTAL_BYTES, each = OWNER_BYTES } = {}): BodyRoom {
  const held = new Map<string, number>();
  let all = 0;
  return {
    async of(owner, res, work) {
      let own = 0;
      let isHalfOver = false;
      const endHalf = (): void => {
        if (isHalfOver) {
          all -= own;
          const left = (held.get(owner) ?? 0) - own;
          if (left > 0) held.set(owner, left);
          else held.delete(owner);
        }
        isHalfOver = true;
      };
      res.once('close', endHalf);
      try {
        return await work((bytes) => {
          const ofOwner = (held.get(owner) ?? 0) + bytes;
          if (ofOwner > each || all + bytes > total) {
            const message = `Too many large bodies are on their way; send the request again in ${RETRY_SECONDS} s.`;
            throw new RequestError([{ code: 'rate_limited', message }], RETRY_SECONDS);
          }
          own += bytes;
          all += bytes;
          held.set(owner, ofOwner);
        });
      } finally {
        endHalf();
      }
    },
  };
}
