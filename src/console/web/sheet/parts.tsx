import type { View } from '../app/view.js';
import { amountsOf, type Day, type MetricsAnswer } from '../shared/answers.js';
import { CsvLink } from '../shared/csv-link.js';
import { addMoney } from '../shared/money.js';
import { Icon } from '../shared/icon.js';
import { amountOf, type StatementRow } from '../statement/rows.js';
import { Statement } from '../statement/statement.js';
import { isExplainable } from './figures.js';
import { StandOuts } from './stand-outs.js';
import { useNotes } from './use-notes.js';

interface Props {
  rows: readonly StatementRow[];
  view: View;
  figures: MetricsAnswer | null;
  /** Null until they are read. */
  days: readonly Day[] | null;
  products: number | undefined;
}

/** The lines that lead to a sum, and whether they add up to it. */
export function Parts({ rows, view, figures, days, products }: Props) {
  const { shop, from, to } = view;
  const notes = useNotes(view, figures, products);
  const row = rows.at(-1);
  const adds = figures !== null && addsUp(rows, figures);
  return (
    <>
      <Statement rows={rows} address={view.address} currency={view.currency} now={figures} notes={notes} />
      {/* At the end, and at once: nothing below it moves. */}
      {days !== null && row !== undefined && (
        <>
          <StandOuts row={row} days={days} view={view} />
          <footer>
            {figures !== null && (
              <span class={adds ? 'good' : 'bad'}>
                <Icon name={adds ? 'good' : 'bad'} />{' '}
                {adds ? 'The parts add up to the figure.' : 'The parts do not add up to the figure.'}
              </span>
            )}
            {isExplainable(row.key) && (
              <CsvLink
                shop={shop}
                path={`/v1/metrics/explain?figure=${row.key}&from=${from}&to=${to}`}
                label="CSV of all entries"
              />
            )}
          </footer>
        </>
      )}
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
