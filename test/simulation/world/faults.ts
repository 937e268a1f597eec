import type { Random } from './random.js';

/** How often what goes wrong; probabilities of one call. What is absent never does. */
export interface Faults {
  redisLost: number;
  replyLost: number;
  queryFails: number;
  querySlow: number;
  insertRefused: number;
  insertPartial: number;
  insertLate: number;
  insertRepeated: number;
  insertSlow: number;
}

export const NO_FAULTS: Faults = {
  redisLost: 0,
  replyLost: 0,
  queryFails: 0,
  querySlow: 0,
  insertRefused: 0,
  insertPartial: 0,
  insertLate: 0,
  insertRepeated: 0,
  insertSlow: 0,
};

/** Each kind in some histories, seldom or often. */
export function someFaults(random: Random): Faults {
  const rate = (most: number): number => (random.chance(0.4) ? random.next() * most : 0);
  return {
    redisLost: rate(0.04),
    replyLost: rate(0.04),
    queryFails: rate(0.3),
    querySlow: rate(0.2),
    insertRefused: rate(0.3),
    insertPartial: rate(0.4),
    insertLate: rate(0.2),
    insertRepeated: rate(0.2),
    insertSlow: rate(0.3),
  };
}
