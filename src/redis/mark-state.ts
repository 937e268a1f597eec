import type { Redis } from 'ioredis';
import { scriptFile } from './script.js';

/** Numbers of marks of one kind, see `marks.ts`. */
export interface MarkState {
  /** All marks. */
  marks: number;
  /** Marks that workers have claimed. */
  leased: number;
  /** Marks whose own work failed. */
  apart: number;
  /** Age of the oldest mark among the first marks of the shops whose turn is next; 0 if there is none. */
  oldestMs: number;
}

/** Number of shops that are looked at. */
const SHOPS = 20;

/** Reads the state in one call, whose cost is bounded for any number of marks. */
export async function readMarkState(redis: Redis, name: string): Promise<MarkState> {
  const keys = ['shops', 'tokens', 'leases', 'apart'].map((part) => `${name}:${part}`);
  const found = (await scriptFile(redis, 'queue-state')(keys, { name, shops: SHOPS })) as number[];
  const [marks = 0, leased = 0, apart = 0, oldestMs = 0] = found;
  return { marks, leased, apart, oldestMs };
}
