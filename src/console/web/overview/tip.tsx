import type { View } from '../app/view.js';
import { Amount } from '../shared/amount.js';
import type { Day } from '../shared/answers.js';
import { formatCount } from '../shared/money.js';
import { nameOf } from './day-name.js';

interface Props {
  day: Day;
  before: Day | undefined;
  view: View;
  /** Its place, 0 to 1. */
  at: number;
}

/** The exact amounts of the bar that is pointed at or focused; its accessible name says the main one too. */
export function Tip({ day, before, view, at }: Props) {
  const style = { near: view.to, weekday: true };
  const lines = [
    ['Revenue', day.revenue],
    ['Refunds', day.refunds],
    ['Net profit', day.net_profit],
    ['Earnings', day.statement.earnings],
    ...(before === undefined ? [] : [[nameOf(before, style), before.statement.earnings] as const]),
  ] as const;
  return (
    <div class="tip" aria-hidden="true" style={{ left: `clamp(0px, calc(${at * 100}% - 120px), calc(100% - 240px))` }}>
      <b>{nameOf(day, style)}</b>
      <dl>
        <dt>Orders</dt>
        <dd>{formatCount(day.orders)}</dd>
        {lines.map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>
              <Amount value={value} currency={view.currency} />
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
}
