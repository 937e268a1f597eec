import { LRUCache } from 'lru-cache';
import type { OrdersPush } from '../queue/jobs.js';
import type { GroupCommit } from './group-commit.js';

/** Orders of a shop that one process takes in a second before the rest goes to the queue for bulk. */
export const PROMPT_ORDERS = 250;

/** Shops that are told apart; one that is forgotten begins anew. */
const MOST_SHOPS = 10_000;

export interface OrderQueues {
  prompt: GroupCommit<OrdersPush>;
  bulk: GroupCommit<OrdersPush>;
  now: () => number;
  /** Orders of a shop in a second that are prompt. */
  share?: number;
}

/** The way into the queue for a push of so many orders. */
export type OrderQueueOf = (shopId: string, orders: number) => GroupCommit<OrdersPush>;

/**
 * What a shop sends beyond its share of a second waits in a queue of its own, so that the orders of all others don't wait
 * behind it: an import is drained more slowly than it is taken. Which way a push goes changes no figure, since versions decide.
 */
export function chooseOrderQueue({ prompt, bulk, now, share = PROMPT_ORDERS }: OrderQueues): OrderQueueOf {
  const taken = new LRUCache<string, { second: number; orders: number }>({ max: MOST_SHOPS });
  return (shopId, orders) => {
    const second = Math.floor(now() / 1000);
    const known = taken.get(shopId);
    const before = known?.second === second ? known.orders : 0;
    if (before + orders > share) return bulk;
    taken.set(shopId, { second, orders: before + orders });
    return prompt;
  };
}
