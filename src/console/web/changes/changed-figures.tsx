import { Amount } from '../shared/amount.js';
import { formatCount } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';
import { FIGURES, moreOf } from './words.js';

interface ChangedFiguresProps {
  figures: Readonly<Partial<Record<string, { before: string | number; after: string | number }>>>;
  currency: string;
}

/** Each figure that changed: before, after, and the difference, over the days that changed. */
export function ChangedFigures({ figures, currency }: ChangedFiguresProps) {
  return (
    <Table label="Before and after" columns={[...words('Figure'), ...numbers('Before', 'After', 'Change')]}>
      {FIGURES.map(({ key, label }) => {
        const change = figures[key];
        if (change === undefined) return null;
        const [before, after] = [String(change.before), String(change.after)];
        return (
          <tr key={key} data-changed={key}>
            <th scope="row">{label}</th>
            {key === 'orders' ? (
              <>
                <td class="number">{formatCount(before)}</td>
                <td class="number">{formatCount(after)}</td>
                <td class="number">{formatCount(Number(after) - Number(before), 'exceptZero')}</td>
              </>
            ) : (
              <>
                <td class="number">
                  <Amount value={before} currency={currency} />
                </td>
                <td class="number">
                  <Amount value={after} currency={currency} />
                </td>
                <td class="number">
                  <Amount value={moreOf(change)} currency={currency} signed />
                </td>
              </>
            )}
          </tr>
        );
      })}
    </Table>
  );
}
