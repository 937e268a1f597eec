import type { Shop } from '../../../schemas/app.js';

/** A time zone as people call it: its city. */
export function zoneName(timezone: string | null): string {
  return (timezone ?? 'UTC').split('/').at(-1)?.replaceAll('_', ' ') ?? '';
}

/** What a shop counts in, below its name. */
export function aboutOf(shop: Shop | undefined): string {
  if (shop?.currency == null) return '';
  return `${shop.currency} · ${zoneName(shop.timezone)} time${shop.closed_at === null ? '' : ' · closed'}`;
}
