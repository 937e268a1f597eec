import type { Warehouse } from '../../src/warehouse/client.js';
import { median } from './harness.js';

const CPU = `SELECT sum(value) AS micros FROM system.events WHERE event IN ('UserTimeMicroseconds', 'SystemTimeMicroseconds')`;

/** Microseconds of CPU that the statements of the warehouse took so far. */
export async function engineMicros(warehouse: Warehouse): Promise<number> {
  return Number((await warehouse.query<{ micros: string }>(CPU))[0]?.micros ?? 0);
}

/** The median that one call takes, in microseconds of CPU of the warehouse. */
export async function engineMicrosOf(
  warehouse: Warehouse,
  calls: number,
  call: () => Promise<unknown>,
): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < calls; i++) {
    const before = await engineMicros(warehouse);
    await call();
    taken.push((await engineMicros(warehouse)) - before);
  }
  return median(taken);
}
