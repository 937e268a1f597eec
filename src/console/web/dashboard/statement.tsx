import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { ExplainableFigure } from '../../../domain/metrics/contributions.js';
import { addMoney, negated } from '../shared/money.js';
import { amountsOf, type MetricsAnswer } from './answers.js';
import { Amount } from './amount.js';
import { Explanation } from './explanation.js';
import { isExplainable } from './metric.js';
import { amountOf, partsOf, ROWS, type StatementRow } from './statement-rows.js';

interface Props {
  shop: string;
  now: MetricsAnswer;
  /** The period before; null while it is not known. */
  before: MetricsAnswer | null;
}

interface Explained {
  figure: ExplainableFigure;
  label: string;
}

/** From gross sales to earnings: each column adds up, and every amount opens what it is made of. */
export function Statement({ shop, now, before }: Props) {
  const [explained, explain] = useState<Explained | null>(null);
  const [open, setOpen] = useState(false);
  const line = (row: StatementRow, isPart = false) => (
    <Line
      row={row}
      isPart={isPart}
      now={now}
      before={before}
      onOpen={(figure) => explain({ figure, label: row.label })}
      toggle={row.of.length === 1 ? undefined : { open, onToggle: () => setOpen(!open) }}
    />
  );
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Statement, table">
        <table class="statement">
          <caption class="hidden">From gross sales to earnings</caption>
          <thead>
            <tr>
              <th scope="col">Statement</th>
              <th scope="col" class="number">
                Amount
              </th>
              <th scope="col" class="number">
                Changed earnings by
              </th>
            </tr>
          </thead>
          <tbody>
            {ROWS.map((row) => (
              <Fragment key={row.key}>
                {line(row)}
                {open && partsOf(row).map((part) => <Fragment key={part.key}>{line(part, true)}</Fragment>)}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {explained !== null && <Explanation shop={shop} {...explained} range={now} onClose={() => explain(null)} />}
    </>
  );
}

interface LineProps {
  row: StatementRow;
  isPart: boolean;
  now: MetricsAnswer;
  before: MetricsAnswer | null;
  onOpen: (figure: ExplainableFigure) => void;
  toggle: { open: boolean; onToggle: () => void } | undefined;
}

function Line({ row, isPart, now, before, onOpen, toggle }: LineProps) {
  const amount = amountOf(row, amountsOf(now));
  const [figure] = row.of;
  const change = before === null ? null : addMoney(amount, negated(amountOf(row, amountsOf(before))));
  return (
    <tr class={isPart ? 'part' : row.kind}>
      <th scope="row">
        {toggle !== undefined ? (
          <button type="button" class="door" aria-expanded={toggle.open} onClick={toggle.onToggle}>
            {row.label}
          </button>
        ) : figure !== undefined && isExplainable(figure) ? (
          <button type="button" class="door" onClick={() => onOpen(figure)}>
            {row.label}
          </button>
        ) : (
          row.label
        )}
      </th>
      <td class="number">
        <Amount value={amount} currency={now.currency} row={row.key} />
      </td>
      <td class="number change">{change === null ? '–' : <Amount value={change} currency={now.currency} signed />}</td>
    </tr>
  );
}
