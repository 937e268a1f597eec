import { linkHere } from '../app/address.js';
import { rangeParams } from '../app/range.js';
import type { View } from '../app/view.js';
import { Amount } from '../shared/amount.js';
import { amountsOf, type Day } from '../shared/answers.js';
import { addMoney, formatExactMoney, formatPercent, micros } from '../shared/money.js';
import { nameOf } from '../overview/day-name.js';
import { explainingDay } from '../overview/explaining.js';
import { rowOf, type StatementRow } from '../statement/rows.js';

const FEWEST_DAYS = 3;

/** The days that made a figure what it is: the highest, the one that explains most, and the lowest. */
export function StandOuts({ row, days, view }: { row: StatementRow; days: readonly Day[]; view: View }) {
  const { address, currency, to } = view;
  const amountOf = (day: Day): string => addMoney(...row.of.map((key) => String(amountsOf(day)[key])));
  const sorted = days.toSorted((a, b) => (micros(amountOf(a)) < micros(amountOf(b)) ? 1 : -1));
  const [best, worst] = [sorted[0], sorted.at(-1)];
  const found = explainingDay(days);
  if (best === undefined || worst === undefined || days.length < FEWEST_DAYS) return null;
  const what = best.to === undefined ? 'day' : 'week';
  const taken =
    found && `${formatExactMoney(found.amount, currency)} ${found.words}, ${formatPercent(found.share.toFixed(3))}`;
  const listed = [
    { day: best, why: `best ${what}` },
    ...(found === undefined
      ? []
      : [{ day: found.day, why: `${taken} of all ${rowOf(found.figure)?.label.toLowerCase()}` }]),
    { day: worst, why: worst.orders === 0 ? `lowest ${what}, no orders` : `lowest ${what}` },
  ].filter(({ day }, i, all) => all.findIndex((other) => other.day === day) === i);
  return (
    <section class="stand-outs" aria-labelledby="stand-outs">
      <h3 id="stand-outs">{what === 'day' ? 'Days' : 'Weeks'} that stand out</h3>
      <ul class="list few">
        {listed.map(({ day, why }) => (
          <li key={day.date}>
            <span>
              <a
                class="door"
                href={linkHere(address, {
                  ...rangeParams({ from: day.date, to: day.to ?? day.date }),
                  view: null,
                  sort: null,
                })}
              >
                {nameOf(day, { near: to, weekday: true })}
              </a>
              <span class="sub">{why}</span>
            </span>
            <Amount value={amountOf(day)} currency={currency} />
          </li>
        ))}
      </ul>
    </section>
  );
}
