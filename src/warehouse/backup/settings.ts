import type { Warehouse } from '../client.js';
import { STANDING } from '../queries/history.js';

/** Tables that are written without a queue, each with its key; a view fills the history of each. */
const SETTINGS_TABLES = { expenses: 'shop_id, expense_id', gateway_fee_rules: 'shop_id', sources: 'shop_id' };

/**
 * Writes rows again that a table has and its history lacks, so that the view adds them to the history. A copy that was taken during a
 * write may have such rows. For the tables of one server; harmless to repeat.
 */
export async function completeHistories(warehouse: Warehouse, database: string): Promise<void> {
  for (const [table, key] of Object.entries(SETTINGS_TABLES)) {
    await warehouse.command(
      `INSERT INTO ${database}.${table} SELECT * FROM (SELECT * FROM ${database}.${table} ORDER BY version DESC LIMIT 1 BY ${key})
       WHERE (${key}, version) NOT IN (SELECT ${key}, computed_at FROM ${database}.${table}_history WHERE held_until = ${STANDING})`,
    );
  }
}
