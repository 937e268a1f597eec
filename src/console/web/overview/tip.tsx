import { Amount } from '../shared/amount.js';
import type { Day } from '../shared/answers.js';
import { formatCount } from '../shared/money.js';

/** The exact amounts of the bar that is pointed at or focused; its accessible name says the main one too. */
export function Tip(props: { day: Day; name: string; currency: string; at: number }) {
  const { day, name, currency, at } = props;
  const lines = [
    ['Revenue', day.revenue],
    ['Refunds', day.refunds],
    ['Net profit', day.net_profit],
    ['Earnings', day.statement.earnings],
  ] as const;
  return (
    <div class="tip" aria-hidden="true" style={{ left: `clamp(0px, calc(${at * 100}% - 110px), calc(100% - 220px))` }}>
      <b>{name}</b>
      <dl>
        <dt>Orders</dt>
        <dd>{formatCount(day.orders)}</dd>
        {lines.map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>
              <Amount value={value} currency={currency} />
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
}
