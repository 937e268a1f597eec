import { formatDay } from '../../../src/domain/time.js';
import type { Credits } from '../warehouse/day-rows.js';
import { keyOf } from '../warehouse/replacing-table.js';
import type { World } from '../world/world.js';
import { expectedCredits, type ExpectedCredits } from './expected-credits.js';
import type { SimulatedItem } from './items.js';

/** The credit of each day and channel is that of the events and orders that count. */
export function checkCredits(
  { tables }: World,
  shopId: string,
  counting: readonly SimulatedItem[],
  found: string[],
): void {
  const expected = expectedCredits(counting, (eventId) =>
    Number(tables.events.final(keyOf(shopId, eventId))?.received_at),
  );
  const days = new Set(expected.keys());
  for (const key of tables.dailyOrders.keys()) {
    const [shop, day] = key.split('\n');
    if (shop === shopId) days.add(Number(day));
  }
  for (const day of days) {
    const pushed = text(expected.get(day) ?? new Map<string, bigint[]>());
    const credits = (tables.dailyOrders.final(keyOf(shopId, day))?.credits ?? new Map()) as Credits;
    const amounts = Array.from(credits, ([key, { orders, revenue, refunds }]): [string, bigint[]] => [
      key,
      [orders, revenue, refunds],
    ]);
    const inRollups = text(new Map(amounts.filter(([, own]) => own.some((amount) => amount !== 0n))));
    if (pushed !== inRollups) found.push(`${shopId} ${formatDay(day)}: credit ${pushed}, in rollups ${inRollups}`);
    const figures = tables.dailyOrders.final(keyOf(shopId, day));
    const ofChannels = costsOf(credits);
    const [fees, cogs] = [figures?.gatewayFees, figures?.cogs] as (bigint | undefined)[];
    const ofDay = `${fees ?? 0n} ${cogs ?? 0n}`;
    if (ofChannels !== ofDay)
      found.push(`${shopId} ${formatDay(day)}: fees and costs ${ofDay}, of channels ${ofChannels}`);
  }
}

/** By the last touch, which gives each order to one channel. */
function costsOf(credits: Credits): string {
  const own = [...credits].filter(([key]) => key.startsWith('last_touch')).map(([, sums]) => sums);
  const sum = (of: 'gatewayFees' | 'cogs'): bigint => own.reduce((all, sums) => all + sums[of], 0n);
  return `${sum('gatewayFees')} ${sum('cogs')}`;
}

const text = (credits: ExpectedCredits): string =>
  Array.from(credits, ([key, sums]) => `${key.replaceAll('\n', ' ')}: ${sums.map(String).join(' ')}`)
    .sort()
    .join(', ');
