import type { Shop, ShopFigures } from '../../../schemas/app.js';
import { Badge } from '../shared/badge.js';
import { formatDay } from '../shared/days.js';
import { verdictOf } from '../statement/verdict.js';
import { VerdictBadge } from '../statement/verdict-badge.js';

/** As the verdict names it. */
export const leftOutIn = ({ left_out: currencies }: ShopFigures): string[] =>
  currencies.length === 0 ? [] : [`ads in ${currencies.join(', ')}`];

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
  if (orders === 0) {
    return (
      <>
        <Badge tone="calm" icon="wait">
          {last === null ? 'No order counts yet' : `Last order ${formatDay(last)}`}
        </Badge>
        {leftOut.length > 0 && <span class="sub">ads in {leftOut.join(', ')} are left out</span>}
      </>
    );
  }
  const verdict = verdictOf(coverage, leftOutIn(figures));
  return (
    <>
      <VerdictBadge verdict={verdict} />
      {verdict.gaps.length > 0 && <span class="sub">not known: {verdict.gaps.join(', ')}</span>}
    </>
  );
}
