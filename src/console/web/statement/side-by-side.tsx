import { linkHere, linkTo } from '../app/address.js';
import { COLUMN_PERIODS, COLUMNS, columnsRange, type ColumnsBy } from '../app/columns.js';
import type { View } from '../app/view.js';
import { Amount } from '../shared/amount.js';
import { amountsOf, type DailyAnswer, type Day, type Figures } from '../shared/answers.js';
import { shopApi } from '../shared/api.js';
import { formatDay, formatRange } from '../shared/days.js';
import { Answer } from '../shared/frame.js';
import { micros } from '../shared/money.js';
import { isOld, useRead } from '../shared/use-read.js';
import { amountOf, ROWS } from './rows.js';
import { isUnknown, unknownOrders } from './unknown.js';
import { isProfitAtMost, verdictOf } from './verdict.js';

type Column = Day & Figures;
interface ColumnsAnswer extends DailyAnswer {
  days: Column[];
}

/** The statement of several periods side by side; each amount opens what it is made of. */
export function SideBySide({ view, by }: { view: View; by: ColumnsBy }) {
  const { shop, address } = view;
  const { from, to } = columnsRange(by, view.to);
  const answer = useRead<ColumnsAnswer>(
    shopApi(shop, `/v1/metrics/daily?from=${from}&to=${to}&by=${by}&include=coverage,statement`),
  );
  return (
    <section
      class={isOld(answer) ? 'panel flush stale' : 'panel flush'}
      aria-labelledby="side"
      aria-busy={answer.loading}
    >
      <div class="panel-head">
        <h2 id="side">Side by side, up to {formatDay(to)}</h2>
        <nav class="segments" aria-label="Columns">
          <a href={linkHere(address, { columns: null })}>One period</a>
          {COLUMN_PERIODS.map((one) => (
            <a key={one} href={linkHere(address, { columns: one })} aria-current={one === by ? 'true' : undefined}>
              {COLUMNS[one].label}
            </a>
          ))}
        </nav>
      </div>
      <Answer of={answer} what="statements" rows={ROWS.length}>
        {({ days }) => <Columns view={view} days={withFigures(days)} />}
      </Answer>
    </section>
  );
}

/** The newest first, without those before the first that has an amount. */
function withFigures(days: Column[]): Column[] {
  const first = days.findIndex((day) => ROWS.some((row) => micros(amountOf(row, amountsOf(day))) !== 0n));
  return days.slice(first).reverse();
}

function Columns({ view, days }: { view: View; days: Column[] }) {
  const { address, currency } = view;
  const open = ({ date, to = date }: Column, figure: string | null): string =>
    linkTo(address, address.path, { range: null, from: date, to, figure });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Statements, table">
      <table class="statement side-by-side">
        <thead>
          <tr>
            <th scope="col">Line</th>
            {days.map((day) => (
              <th key={day.date} scope="col" class="number">
                <a href={open(day, null)}>{formatRange({ from: day.date, to: day.to ?? day.date }, view.to)}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map((row) => (
            <tr key={row.key} class={row.kind}>
              <th scope="row">{row.label}</th>
              {days.map((day) => (
                <td key={day.date} class="number">
                  <a href={open(day, row.key)}>
                    {isUnknown(row, day) ? (
                      <span class="soft">not known</span>
                    ) : (
                      <Amount value={amountOf(row, amountsOf(day))} currency={currency} row={row.key} />
                    )}
                  </a>
                  <span class="sub">{noteOf(row.key, unknownOrders(row, day), day)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What is said below an amount that is not complete. */
function noteOf(key: string, unknown: number, { coverage }: Column): string {
  if (key === 'net_profit') return isProfitAtMost(coverage) ? 'at most' : '';
  if (key === 'earnings') return verdictOf(coverage).word;
  return unknown > 0 ? 'not all known' : '';
}
