import type { Warehouse } from '../client.js';
import { STANDING } from './history.js';

/** Tables that are written without a queue, each with its kind and id in `settings_history`, which views fill. */
const SETTINGS_TABLES = {
  expenses: ['expense', 'expense_id'],
  gateway_fee_rules: ['fee_rule', "''"],
  sources: ['source', "''"],
};

/**
 * Writes rows again that a table has and its history lacks, so that the view adds them to the history. A write that was cut off between
 * table and view leaves such rows, and so does a copy that was taken during a write. Harmless to repeat.
 */
export async function completeHistories(warehouse: Warehouse, database?: string): Promise<void> {
  const at = database === undefined ? '' : `${database}.`;
  for (const [table, [kind, id]] of Object.entries(SETTINGS_TABLES)) {
    await warehouse.run({
      name: 'complete the history of settings',
      sql: `INSERT INTO ${at}${table} SELECT * FROM (SELECT * FROM ${at}${table} ORDER BY version DESC LIMIT 1 BY shop_id, ${id})
       WHERE (shop_id, ${id}, version) NOT IN (
         SELECT shop_id, id, computed_at FROM ${at}settings_history WHERE kind = '${kind}' AND valid_until = ${STANDING}
       )`,
    });
  }
}
