import { RequestError } from '../../errors.js';

/** Exports that may be under way in this process: each holds two pages of rows in memory, or a statement of the warehouse open. */
export interface ExportSlots {
  /** Takes a slot for a shop; the caller calls the result once. Throws `rate_limited` when there are too many. */
  take(shopId: string): () => void;
}

const RETRY_SECONDS = 5;

/** One shop can't have them all. */
export function createExportSlots({ total = 8, each = 2 } = {}): ExportSlots {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(shopId) {
      const own = taken.get(shopId) ?? 0;
      if (own >= each || all >= total) {
        const message = `Too many exports are under way; ask again in ${RETRY_SECONDS} s or when one has ended.`;
        throw new RequestError([{ code: 'rate_limited', message }], RETRY_SECONDS);
      }
      taken.set(shopId, own + 1);
      all++;
      return () => {
        const left = (taken.get(shopId) ?? 0) - 1;
        if (left > 0) taken.set(shopId, left);
        else taken.delete(shopId);
        all--;
      };
    },
  };
}
