import type { Warehouse } from '../client.js';
import { STANDING } from './history.js';

/** Tables that are written without a queue, each with its key; a view fills the history of each. */
const SETTINGS_TABLES = { expenses: 'shop_id, expense_id', gateway_fee_rules: 'shop_id', sources: 'shop_id' };

/**
 * Writes rows again that a table has and its history lacks, so that the view adds them to the history. A write that was cut off between
 * table and view leaves such rows, and so does a copy that was taken during a write. Harmless to repeat.
 */
export async function completeHistories(warehouse: Warehouse, database?: string): Promise<void> {
  const at = database === undefined ? '' : `${database}.`;
  for (const [table, key] of Object.entries(SETTINGS_TABLES)) {
    await warehouse.command(
      `INSERT INTO ${at}${table} SELECT * FROM (SELECT * FROM ${at}${table} ORDER BY version DESC LIMIT 1 BY ${key})
       WHERE (${key}, version) NOT IN (SELECT ${key}, computed_at FROM ${at}${table}_history WHERE held_until = ${STANDING})`,
    );
  }
}
