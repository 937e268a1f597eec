import { knownSource } from '../events/campaign-sources.js';
import { wordSet } from '../events/word-list.js';
import type { Fraction } from '../money.js';

/** The channel of expenses that count as ad spend. */
export const EXPENSE_SPEND = 'expenses';

/** Ad spend of a period by channel and currency. */
export interface ChannelSpend {
  /** `custom:<slug>`. */
  channel: string;
  currency: string;
  amount: Fraction;
}

const prefix = 'custom:';

/** Channels of orders that are no advertising network's; a slug of the same words means them. */
const namedChannels = wordSet(`
  paid_search paid_social paid_other display affiliate organic_search organic_shopping organic_social ai_assistant email
  sms push referral direct other
`);

const channelOfKind = { mail: 'email', sms: 'sms', push: 'push', affiliate: 'affiliate' } as const;

/**
 * The channel of orders that ad spend belongs to. Spend comes under the merchant's own label (`custom:<slug>`); it goes to
 *
 * - the channel of the same name: `custom:google-ads` to `google_ads`, `custom:paid-social` to `paid_social`;
 * - else the channel that the label would have as a `utm_source`: `custom:facebook` to `meta_ads`, `custom:bing` to
 *   `microsoft_ads`, `custom:newsletter` to `email`.
 *
 * Any other spend keeps its own name and is in a row without orders.
 */
export function spendChannel(name: string): string {
  if (!name.startsWith(prefix)) return name;
  const slug = name.slice(prefix.length);
  const plain = slug.replaceAll('-', '_');
  if (namedChannels.has(plain)) return plain;
  const source = knownSource(/^([a-z\d]+)-ads$/.exec(slug)?.[1] ?? slug);
  if (source.network !== null) return `${source.network}_ads`;
  if (source.kind === null || !(source.kind in channelOfKind)) return name;
  return channelOfKind[source.kind as keyof typeof channelOfKind];
}
