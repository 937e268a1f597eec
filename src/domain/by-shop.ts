/** Ids by shop. */
export type IdsByShop = ReadonlyMap<string, readonly string[]>;

/** Adds ids to those of a shop. */
export function addIds(to: Map<string, Set<string>>, shopId: string, ids: Iterable<string>): void {
  const own = to.get(shopId) ?? new Set();
  for (const id of ids) own.add(id);
  to.set(shopId, own);
}

export function idLists(sets: ReadonlyMap<string, ReadonlySet<string>>): Map<string, string[]> {
  return new Map([...sets].map(([shopId, ids]) => [shopId, [...ids]]));
}

/** The ids of each shop, each once. */
export function byShop(items: Iterable<{ shopId: string; id: string }>): Map<string, string[]> {
  const ids = new Map<string, Set<string>>();
  for (const { shopId, id } of items) addIds(ids, shopId, [id]);
  return idLists(ids);
}
