import type { Warehouse } from '../client.js';

/** Tables that are written beside the queue, each with its key and with a history that a view feeds. */
const SETTINGS_TABLES = { expenses: 'shop_id, expense_id', gateway_fee_rules: 'shop_id', sources: 'shop_id' };
const STANDING = '18446744073709551615';

/**
 * Writes again what a table of one server holds and its history does not, as a copy finds it that was taken in the middle of
 * a write; the view then tells the history. Harmless to repeat.
 */
export async function completeHistories(warehouse: Warehouse, database: string): Promise<void> {
  for (const [table, key] of Object.entries(SETTINGS_TABLES)) {
    await warehouse.command(
      `INSERT INTO ${database}.${table} SELECT * FROM (SELECT * FROM ${database}.${table} ORDER BY version DESC LIMIT 1 BY ${key})
       WHERE (${key}, version) NOT IN (SELECT ${key}, computed_at FROM ${database}.${table}_history WHERE held_until = ${STANDING})`,
    );
  }
}
