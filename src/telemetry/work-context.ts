import { AsyncLocalStorage } from 'node:async_hooks';

/** What a piece of work is for, as it stands beside each of its queries: names and ids, never anything of a body. */
export type WorkTold = Record<string, string | readonly string[]>;

const storage = new AsyncLocalStorage<() => WorkTold>();

/** Runs work whose queries tell what they are for. `tell` is asked when a query is made: a route is known only then. */
export function workingFor<T>(tell: () => WorkTold, work: () => T): T {
  return storage.run(tell, work);
}

/** What the work under way is for. */
export function currentWork(): WorkTold {
  return storage.getStore()?.() ?? {};
}
