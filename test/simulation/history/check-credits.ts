import { formatDay } from '../../../src/domain/time.js';
import type { Credits } from '../warehouse/credits.js';
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
  for (const key of tables.dailyChannels.keys()) {
    const [shop, day] = key.split('\n');
    if (shop === shopId) days.add(Number(day));
  }
  for (const day of days) {
    const pushed = text(expected.get(day) ?? new Map<string, bigint[]>());
    const credits = (tables.dailyChannels.final(keyOf(shopId, day))?.credits ?? new Map()) as Credits;
    const inRollups = text(new Map(Array.from(credits, ([key, sums]) => [key, Object.values(sums) as bigint[]])));
    if (pushed !== inRollups) found.push(`${shopId} ${formatDay(day)}: credit ${pushed}, in rollups ${inRollups}`);
  }
}

const text = (credits: ExpectedCredits): string =>
  Array.from(credits, ([key, sums]) => `${key.replaceAll('\n', ' ')}: ${sums.map(String).join(' ')}`)
    .sort()
    .join(', ');
