import type { CauseKind } from '../../../domain/metrics/restatements.js';
import type { IconName } from '../shared/icon.js';
import { addMoney, negated } from '../shared/money.js';
import { partsOf, ROWS } from '../statement/rows.js';

export const ICONS: Readonly<Record<CauseKind, IconName>> = {
  late_order: 'orders',
  edited_order: 'orders',
  refund: 'orders',
  deletion: 'orders',
  clock: 'orders',
  unit_cost: 'products',
  order_cost: 'products',
  fee_rule: 'settings',
  spend: 'channels',
  expense: 'settings',
  rates: 'settings',
  source: 'settings',
  rebuild: 'changes',
};

/** What an amount became more; negative: less. */
export function moreOf({ before, after }: { before: string | number; after: string | number }): string {
  return addMoney(String(after), negated(String(before)));
}

/** In the order of the statement. */
export const FIGURES: readonly { key: string; label: string }[] = [
  { key: 'orders', label: 'Orders' },
  ...ROWS.flatMap((row) => (row.of.length === 1 ? row : partsOf(row))),
];
