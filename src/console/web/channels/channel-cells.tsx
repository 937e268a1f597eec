import type { ComponentChildren } from 'preact';
import { Amount } from '../shared/amount.js';
import { Badge } from '../shared/badge.js';
import { formatQuantity, micros, negated } from '../shared/money.js';
import { NoValue } from '../shared/no-value.js';

interface Props {
  /** Exact. */
  sums: {
    orders: string;
    proved: string;
    claimed: string;
    unclear: string;
    revenue: string;
    ad_spend: string;
    profit: string;
  };
  currency: string;
  /** Revenue per unit of ads, as it is shown; null: no ads. */
  perUnit: string | null;
  /** Currencies of spend that is left out. */
  leftOut: readonly string[];
  isAtMost: boolean;
  children?: ComponentChildren;
}

/** The figures of a channel, or of all. */
export function ChannelCells({ sums, currency, perUnit, leftOut, isAtMost, children }: Props) {
  const money = (value: string, extra: string, why: string) => (
    <td class={`number ${extra}`}>
      {micros(value) === 0n ? <NoValue why={why} /> : <Amount value={value} currency={currency} />}
    </td>
  );
  const ads = negated(sums.ad_spend);
  return (
    <>
      <td class="number wide-only">{formatQuantity(sums.orders)}</td>
      <td class="opt">{children}</td>
      {money(sums.proved, 'wide-only', 'nothing proved')}
      {money(sums.claimed, 'wide-only', 'nothing claimed')}
      {money(sums.unclear, 'opt', 'nothing unclear')}
      {money(sums.revenue, 'wide-only', 'no revenue')}
      {leftOut.length > 0 && micros(ads) === 0n ? (
        <td class="number wide-only">
          <Badge tone="warn">{leftOut.join(', ')} left out</Badge>
        </td>
      ) : (
        money(ads, 'wide-only', 'no ads')
      )}
      <td class="number result">
        {isAtMost && <span class="soft">at most </span>}
        <Amount value={sums.profit} currency={currency} />
        <span class="sub phone-only">
          {leftOut.length > 0 ? (
            `${leftOut.join(', ')} left out`
          ) : micros(ads) === 0n ? (
            'no ads'
          ) : (
            <>
              after <Amount value={sums.ad_spend} currency={currency} /> of ads
            </>
          )}
        </span>
      </td>
      <td class="number opt">{perUnit ?? <NoValue why="no ads" />}</td>
    </>
  );
}
