import type { Command } from 'commander';
import { parseDay } from '../../domain/time.js';
import type { Warehouse } from '../../warehouse/client.js';
import { storedDays, type RollupDay } from '../../warehouse/queries/rollups.js';

/** The days that a command works on; what is absent does not narrow them. */
export interface DayChoice {
  shop?: string;
  /** `YYYY-MM-DD`, inclusive. */
  from?: string;
  to?: string;
}

/** The options of a {@link DayChoice}. */
export const dayOptions = (command: Command): Command =>
  command
    .option('--shop <id>', 'one shop; all when absent')
    .option('--from <day>', 'first day, YYYY-MM-DD')
    .option('--to <day>', 'last day, YYYY-MM-DD');

/** Throws a RangeError for a day that does not exist, and a range that ends before it begins: none of its days would be found. */
export function requireDays({ from, to }: DayChoice): void {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && parseDay(day) === null) throw new RangeError(`--${name} must be a day such as 2026-03-01`);
  if (from !== undefined && to !== undefined && from > to) throw new RangeError('--from must not be after --to');
}

/** The stored days of the choice, newest first. Throws a RangeError as {@link requireDays} does. */
export function chosenDays(warehouse: Warehouse, choice: DayChoice): Promise<RollupDay[]> {
  requireDays(choice);
  const { shop, from, to } = choice;
  return storedDays(warehouse, {
    ...(shop !== undefined && { shopId: shop }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  });
}
