import { PLACES } from '../../../domain/events/networks.js';

const NAMES: Readonly<Record<string, string>> = {
  unattributed: 'No visit seen',
  expenses: 'Expenses that count as ads',
  direct: 'Direct visits',
  google_ads: 'Google Ads',
  meta_ads: 'Meta Ads',
  tiktok_ads: 'TikTok Ads',
  ai_assistant: 'AI assistant',
};

/** The networks that sell ads, by the names that a shop may give their spend, as in `custom:facebook`. */
const NETWORKS = new Map(
  PLACES.flatMap(({ network, names = '' }) =>
    network === null ? [] : names.split(' ').map((name) => [name, network]),
  ),
);

/**
 * A channel as people call it; one that is not known here is shown as the API writes it, in words. Spend has the name of the channel that
 * its orders are under: `custom:facebook` is Meta Ads.
 */
export function channelName(stored: string): string {
  const network = NETWORKS.get(stored.replace(/^custom:|-ads$/g, ''));
  const channel = network === undefined || !stored.startsWith('custom:') ? stored : `${network}_ads`;
  const words = channel.replace(/^custom:/, '').replace(/[-_]/g, ' ');
  return NAMES[channel] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
