export interface Bisection<Item> {
  /** Does the work of items in one go; repeating it must be harmless. */
  work: (items: readonly Item[]) => Promise<void>;
  /** Whether one of the items may have caused a failure. Every other failure ends the bisection. */
  mayBlame: (error: unknown) => boolean;
  /** Called for an item that fails by itself. */
  blame: (item: Item, error: unknown) => void | Promise<void>;
}

/** Works on all items; where that fails, on halves of them, until those that fail by themselves are known and the others are done. */
export async function bisect<Item>(items: readonly Item[], bisection: Bisection<Item>): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  try {
    await bisection.work(items);
  } catch (error) {
    if (!bisection.mayBlame(error)) throw error;
    if (items.length === 1) return bisection.blame(first, error);
    const half = items.length >> 1;
    await bisect(items.slice(0, half), bisection);
    await bisect(items.slice(half), bisection);
  }
}
