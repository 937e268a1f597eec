import type { Stores } from '../../composition/stores.js';
import { DIRTY_LANES, type DirtyLane } from '../../redis/dirty-days.js';
import { byShop } from '../../domain/by-shop.js';
import type { Mark } from '../../redis/marks.js';

/** A mark of a dirty day, or of an order whose credit must be computed again. */
export interface KeptMark extends Pick<Mark, 'shopId' | 'id'> {
  lane: DirtyLane | 'orders';
}

type MarkStores = Pick<Stores, 'dirtyDays' | 'dirtyOrders'>;

/** Orders come first: when the work on an order ends, its days are marked already. */
export async function* allMarks({ dirtyDays, dirtyOrders }: MarkStores): AsyncGenerator<KeptMark[]> {
  for await (const part of dirtyOrders.all()) yield part.map((mark) => ({ ...mark, lane: 'orders' }));
  for (const lane of DIRTY_LANES) {
    for await (const part of dirtyDays.lanes[lane].all()) yield part.map((mark) => ({ ...mark, lane }));
  }
}

export async function setMarks({ dirtyDays, dirtyOrders }: MarkStores, marks: readonly KeptMark[]): Promise<void> {
  await dirtyOrders.mark(marks.filter(({ lane }) => lane === 'orders'));
  for (const lane of DIRTY_LANES) {
    const days = byShop(marks.filter((mark) => mark.lane === lane));
    if (days.size > 0) await dirtyDays.mark(lane, days);
  }
}

/** The entries of all pages, one by one. */
export async function* flatten<T>(parts: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const part of parts) yield* part;
}
