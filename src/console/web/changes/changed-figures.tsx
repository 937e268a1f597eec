import type { CauseEntry } from '../../../schemas/restatement-causes.js';
import { Amount } from '../shared/amount.js';
import { formatCount } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';
import { FIGURES, moreOf } from './words.js';

/** Each figure that changed: before, after, and the difference, over the days that changed. */
export function ChangedFigures({ figures, currency }: { figures: CauseEntry['figures']; currency: string }) {
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
