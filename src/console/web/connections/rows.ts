import { channelName } from '../channels/names.js';
import type { Connection, ConnectionsResponse } from '../../../schemas/connections.js';
import type { IngestStatus } from '../../../schemas/ingest-status.js';
import type { AttributionResponse } from '../../../schemas/attribution.js';
import { kindLabel } from '../shared/kinds.js';

type Kind = keyof IngestStatus['kinds'];
type LeftOut = NonNullable<AttributionResponse['left_out']>;

/** A row of the page: an integration, or a kind of data that belongs to none. */
export interface ConnectionRow {
  id: string;
  name: string;
  about: string;
  status: Connection['status'];
  lastAt: string | null;
  /** Items of the last 7 days; null: they are not counted for it alone. */
  taken: number | null;
  refused: number | null;
  kind: Kind | null;
  /** Currencies of what no figure contains. */
  leftOut: string[];
}

const PLATFORMS: Readonly<Record<string, string>> = {
  shopify: 'Shopify',
  woocommerce: 'WooCommerce',
  store: 'your store',
};

/** Kinds that no integration is named after. */
const OTHERS: readonly Kind[] = ['product_costs', 'expenses'];

export function rowsOf(
  { connections }: ConnectionsResponse,
  { kinds }: IngestStatus,
  leftOut: LeftOut,
): ConnectionRow[] {
  const ads = connections.filter(({ ad_accounts }) => ad_accounts !== undefined);
  const countsOf = (kind: Kind | null) => ({
    taken: kind === null ? null : kinds[kind].windows['7d'].accepted,
    refused: kind === null ? null : kinds[kind].windows['7d'].rejected,
    kind,
  });
  const own = connections.map((connection): ConnectionRow => {
    const { channel, status, shop_domain, currency, ad_accounts, last_synced_at } = connection;
    const isAd = ad_accounts !== undefined;
    const isStore = !isAd && channel !== 'pixel';
    const facts = isAd ? ['ad spend'] : isStore ? [shop_domain, currency] : ['visits'];
    return {
      id: channel,
      name: isStore ? `Orders from ${PLATFORMS[channel] ?? channel}` : channelName(channel),
      about: facts.filter((fact) => fact !== undefined).join(' · '),
      status,
      lastAt: last_synced_at ?? null,
      ...countsOf(isAd ? (ads.length === 1 ? 'spend' : null) : isStore ? 'orders' : 'events'),
      leftOut: isAd ? leftOut.filter((entry) => entry.channel === channel).map((entry) => entry.currency) : [],
    };
  });
  const others = [...(ads.length > 1 ? (['spend'] as const) : []), ...OTHERS];
  return [
    ...own,
    ...others
      .filter((kind) => kinds[kind].last_received_at !== null || kinds[kind].windows['7d'].rejected > 0)
      .map((kind): ConnectionRow => {
        const at = kinds[kind].last_received_at;
        const about = kind === 'spend' ? 'all channels together' : 'pushed';
        return {
          id: kind,
          name: kindLabel(kind),
          about,
          status: 'connected',
          lastAt: at,
          ...countsOf(kind),
          leftOut: [],
        };
      }),
  ];
}
