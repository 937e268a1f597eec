import { linkHere } from '../app/address.js';
import { rangeParams } from '../app/range.js';
import type { View } from '../app/view.js';
import { formatExactMoney } from '../shared/money.js';
import { nameOf } from './day-name.js';
import type { Explaining } from './explaining.js';

/** Above the bars: the one day that explains most, a link to what it is made of. */
export function Note({ found, view, at }: { found: Explaining; view: View; at: number }) {
  const { day, figure, words, amount } = found;
  const href = linkHere(view.address, {
    ...rangeParams({ from: day.date, to: day.to ?? day.date }),
    figure,
    view: 'entries',
    sort: null,
  });
  return (
    <a class="note" href={href} style={{ left: `${at * 100}%`, transform: `translateX(-${at * 100}%)` }}>
      {nameOf(day, { near: view.to })}: {formatExactMoney(amount, view.currency)} {words}
    </a>
  );
}
