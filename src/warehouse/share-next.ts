/**
 * Look-ups that come while one is under way share the next, so that a busy process asks no more often than it gets answers. One that
 * finds the next full does not wait: it asks by itself.
 *
 * @param most items of a shared look-up
 */
export function shareNext<Item, Found>(
  lookUp: (items: readonly Item[]) => Promise<Found>,
  most: number,
): (items: readonly Item[]) => Promise<Found> {
  let underWay: Promise<unknown> | null = null;
  let next: { items: Item[]; found: Promise<Found> } | null = null;

  const begin = (items: readonly Item[]): Promise<Found> => {
    const found = lookUp(items);
    const ended = found.then(
      () => undefined,
      () => undefined,
    );
    underWay = ended;
    void ended.then(() => {
      if (underWay === ended) underWay = null;
    });
    return found;
  };

  return (items) => {
    if (underWay === null) return begin(items);
    if (next !== null) {
      if (next.items.length + items.length > most) return lookUp(items);
      next.items.push(...items);
      return next.found;
    }
    const own = [...items];
    const found = underWay.then(() => {
      next = null;
      return begin(own);
    });
    next = { items: own, found };
    return found;
  };
}
