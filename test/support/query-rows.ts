import { Value } from 'typebox/value';
import type { Query } from '../../src/warehouse/query.js';

/** Of an answer; all its rows come from one statement. */
const MAX_CHECKED = 20;

/** Throws where rows are not of the schema of their query. */
export function checkRows({ name, rows: schema }: Query<unknown>, rows: readonly unknown[]): void {
  for (const row of rows.slice(0, MAX_CHECKED)) {
    if (Value.Check(schema, row)) continue;
    const faults = Value.Errors(schema, row).map(({ instancePath, message }) => `${instancePath} ${message}`);
    throw new Error(`rows of "${name}" are not of their schema: ${faults.join('; ')} in ${JSON.stringify(row)}`);
  }
}
