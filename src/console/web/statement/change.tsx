import { Amount } from '../shared/amount.js';
import { amountsOf, type MetricsAnswer } from '../shared/answers.js';
import { addMoney, negated } from '../shared/money.js';
import { amountOf, type StatementRow } from './rows.js';
import { isUnknown } from './unknown.js';

interface Props {
  row: StatementRow;
  now: MetricsAnswer | null;
  before: MetricsAnswer | null;
  currency: string;
}

/** By how much a line changed the earnings. */
export function Change({ row, now, before, currency }: Props) {
  if (now === null || before === null) return <Amount value={undefined} currency={currency} signed />;
  if (isUnknown(row, now) || isUnknown(row, before)) return <span class="amount soft">not known</span>;
  const change = addMoney(amountOf(row, amountsOf(now)), negated(amountOf(row, amountsOf(before))));
  return <Amount value={change} currency={currency} signed />;
}
