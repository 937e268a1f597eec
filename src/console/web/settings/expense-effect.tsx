import { useEffect, useState } from 'preact/hooks';
import type { AppExpense, ExpensePreview } from '../../../schemas/app.js';
import { Amount } from '../shared/amount.js';
import { change } from '../shared/api.js';
import { formatRange } from '../shared/days.js';

/** What an expense that is entered changes; `fields` is null until all that it needs is entered. `path` asks for it. */
export function ExpenseEffect({ path, fields }: { path: string; fields: Pick<AppExpense, 'currency'> | null }) {
  const [found, setFound] = useState<ExpensePreview | null>(null);
  useEffect(() => {
    let isLatest = true;
    setFound(null);
    if (fields === null) return;
    change<ExpensePreview>(path, fields).then(
      (answer) => isLatest && setFound(answer),
      // What is wrong with it is said where it is saved.
      () => undefined,
    );
    return () => void (isLatest = false);
  }, [path, fields]);
  return (
    <p class="note" role="status">
      {found === null || fields === null ? (
        'What it changes this month is shown here before it is saved.'
      ) : fields.currency !== found.currency ? (
        `It is in ${fields.currency}, and the shop in ${found.currency}: it is in no figure.`
      ) : (
        <strong>
          Earnings of {formatRange(found)} change by{' '}
          <span data-preview="expense">
            <Amount value={found.earnings_change} currency={found.currency} signed />
          </span>
          .
        </strong>
      )}
    </p>
  );
}
