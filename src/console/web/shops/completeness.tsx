import type { Shop, ShopFigures } from '../../../schemas/app.js';
import { Badge } from '../shared/badge.js';
import { formatDay } from '../shared/days.js';
import { verdictOf } from '../statement/verdict.js';

/** Whether the figures of a shop are complete, or what they wait for. */
export function Completeness({ shop, figures }: { shop: Shop; figures: ShopFigures | undefined }) {
  if (shop.currency === null) return <Badge tone="calm">Currency and time zone missing</Badge>;
  if (!shop.has_orders) {
    return (
      <Badge tone="calm" icon="wait">
        Waiting for its first order
      </Badge>
    );
  }
  if (figures === undefined) return null;
  const { orders, coverage, left_out: leftOut, last_day_with_orders: last } = figures;
  const sub = leftOut.length > 0 && <span class="sub">Ad spend in {leftOut.join(', ')} is left out</span>;
  if (orders === 0) {
    return (
      <>
        <Badge tone="calm" icon="wait">
          {last === null ? 'No order counts yet' : `Last order ${formatDay(last)}`}
        </Badge>
        {sub}
      </>
    );
  }
  const { gaps } = verdictOf(coverage);
  return gaps.length === 0 ? (
    <>
      <Badge tone={leftOut.length > 0 ? 'warn' : 'good'}>All costs known</Badge>
      {sub}
    </>
  ) : (
    <>
      <Badge tone="warn">Not complete</Badge>
      <span class="sub">not known: {gaps.join(', ')}</span>
      {sub}
    </>
  );
}
