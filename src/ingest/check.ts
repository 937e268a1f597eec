import type { ErrorDetail } from '../errors.js';
import type { Items } from './items.js';
import type { Turn } from './turns.js';

/** Most faults reported for one item and for one batch; past the latter each faulty item gets one. */
const ITEM_FAULTS = 1_000;
const BATCH_FAULTS = 10_000;

/** All faults of an item, at most `limit`. */
export type CheckItem = (value: unknown, limit: number) => readonly ErrorDetail[];

/**
 * Reads and checks the items of a batch one after the other, giving way between them, and hands each with its faults on. Of
 * an item that was too much to be parsed there is no value.
 */
export async function checkItems(
  items: Items,
  turn: Turn,
  check: CheckItem,
  take: (value: unknown, faults: readonly ErrorDetail[]) => void,
): Promise<void> {
  let left = BATCH_FAULTS;
  for (let i = 0; i < items.length; i++) {
    if (turn.isOver()) await turn.next();
    const limit = Math.max(1, Math.min(left, ITEM_FAULTS));
    const { value, faults } = items.read(i);
    if (turn.isOver()) await turn.next();
    const found = faults?.slice(0, limit) ?? check(value, limit);
    left -= found.length;
    if (turn.isOver()) await turn.next();
    take(value, found);
  }
}
