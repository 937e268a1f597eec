import type { Response } from 'express';
import { RequestError } from '../../errors.js';

/** Counts bytes of a body as they arrive; throws `rate_limited` once there are too many. */
export type HoldBytes = (bytes: number) => void;

/** Bounds the memory that request bodies take while they are received and worked on. */
export interface BodyRoom {
  /** Counts the body of a request against the share of its owner, until the answer is sent. */
  of(owner: string, res: Response): HoldBytes;
}

const TOTAL_BYTES = 256 * 1024 * 1024;
const OWNER_BYTES = 32 * 1024 * 1024;
const RETRY_SECONDS = 1;

/** Each owner has a share far below the total, so that one cannot block the others. */
export function createBodyRoom({ total = TOTAL_BYTES, each = OWNER_BYTES } = {}): BodyRoom {
  const held = new Map<string, number>();
  let all = 0;
  return {
    of(owner, res) {
      let own = 0;
      res.once('close', () => {
        all -= own;
        const left = (held.get(owner) ?? 0) - own;
        if (left > 0) held.set(owner, left);
        else held.delete(owner);
      });
      return (bytes) => {
        const ofOwner = (held.get(owner) ?? 0) + bytes;
        if (ofOwner > each || all + bytes > total) {
          const message = `Too many large bodies are on their way; send the request again in ${RETRY_SECONDS} s.`;
          throw new RequestError([{ code: 'rate_limited', message }], RETRY_SECONDS);
        }
        own += bytes;
        all += bytes;
        held.set(owner, ofOwner);
      };
    },
  };
}
