import { linkHere } from '../app/address.js';
import { rangeParams } from '../app/range.js';
import type { View } from '../app/view.js';
import type { ExplainResponse } from '../../../schemas/contributions.js';
import { formatDay } from '../shared/days.js';
import { addMoney, divided, formatPercent, micros } from '../shared/money.js';

const LARGEST = 5;
const FEWEST = 2 * LARGEST;

/** Says where a few entries are most of the sum, and leads to their day where it is one. */
export function Concentration({ page, view }: { page: ExplainResponse; view: View }) {
  const largest = page.entries.slice(0, LARGEST);
  const total = micros(page.total);
  const sum = micros(addMoney(...largest.map(({ amount }) => amount)));
  if (page.count < FEWEST || total <= 0n || sum > total || sum * 2n < total) return null;
  const share = formatPercent(`${divided(sum * 1000n, total)}e-3`);
  const day = largest[0]?.date ?? page.from;
  const isOneDay = largest.every(({ date }) => date === day) && page.from !== page.to;
  const name = formatDay(day, { near: view.to });
  return (
    <p class="notice calm">
      The {LARGEST} largest{isOneDay && `, all of ${name},`} are <b>{share}</b> of the sum.{' '}
      {isOneDay && <a href={linkHere(view.address, rangeParams({ from: day, to: day }))}>Only {name}</a>}
    </p>
  );
}
