import type { View } from '../app/view.js';
import { amountsOf, type MetricsAnswer } from '../shared/answers.js';
import { addMoney } from '../shared/money.js';
import { Icon } from '../shared/icon.js';
import { amountOf, type StatementRow } from '../statement/rows.js';
import { Statement } from '../statement/statement.js';

/** The lines that lead to a sum, and whether they add up to it. */
export function Parts({
  rows,
  view,
  figures,
}: {
  rows: readonly StatementRow[];
  view: View;
  figures: MetricsAnswer | null;
}) {
  const adds = figures !== null && addsUp(rows, figures);
  return (
    <>
      <Statement rows={rows} address={view.address} currency={view.currency} now={figures} />
      <footer>
        {figures !== null && (
          <span class={adds ? 'good' : 'bad'}>
            <Icon name={adds ? 'good' : 'bad'} />{' '}
            {adds ? 'The parts add up to the figure.' : 'The parts do not add up to the figure.'}
          </span>
        )}
      </footer>
    </>
  );
}

function addsUp(rows: readonly StatementRow[], figures: MetricsAnswer): boolean {
  const amounts = amountsOf(figures);
  let height = '0.00';
  return rows.every((row) => {
    const amount = amountOf(row, amounts);
    if (row.kind === 'sum' || row.kind === 'last') return amount === height;
    height = addMoney(height, amount);
    return true;
  });
}
