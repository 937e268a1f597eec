import type { ErrorDetail } from '../errors.js';
import type { Validator } from '../schemas/validator.js';
import type { Items } from '../body/items.js';
import type { Yielder } from '../body/yielding.js';

/**
 * Faults that are reported of one item, and of a batch, with the characters of their texts; past them one of every item that is at
 * fault. So an answer stays small enough to be written at once.
 */
const ITEM_FAULTS = 1_000;
const BATCH_FAULTS = 2_500;
const BATCH_CHARACTERS = 400_000;

/** All faults of an item, at most `limit`. */
export type CheckItem = (value: unknown, limit: number) => readonly ErrorDetail[];

/** The faults that the schema finds, then those of the rules. */
export const checkBy =
  (validator: Pick<Validator<unknown>, 'check'>, rules: (value: unknown) => readonly ErrorDetail[]): CheckItem =>
  (value, limit) =>
    [...validator.check(value, limit), ...rules(value)].slice(0, limit);

/**
 * Reads and checks the items of a batch one after the other, giving way between them, and hands each with its faults on. Of
 * an item that was too much to be parsed there is no value.
 */
export async function checkItems(
  items: Items,
  yielder: Yielder,
  check: CheckItem,
  take: (value: unknown, faults: readonly ErrorDetail[]) => void,
): Promise<void> {
  let left = BATCH_FAULTS;
  let characters = BATCH_CHARACTERS;
  for (let i = 0; i < items.length; i++) {
    if (yielder.isDue()) await yielder.yield();
    const limit = characters > 0 ? Math.max(1, Math.min(left, ITEM_FAULTS)) : 1;
    const { value, faults } = items.read(i);
    if (yielder.isDue()) await yielder.yield();
    const found = faults?.slice(0, limit) ?? check(value, limit);
    left -= found.length;
    for (const { message, field } of found) characters -= message.length + (field?.length ?? 0);
    if (yielder.isDue()) await yielder.yield();
    take(value, found);
  }
}
