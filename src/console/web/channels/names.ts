const NAMES: Readonly<Record<string, string>> = {
  unattributed: 'No visit seen',
  expenses: 'Expenses that count as ads',
  direct: 'Direct visits',
  google_ads: 'Google Ads',
  meta_ads: 'Meta Ads',
  tiktok_ads: 'TikTok Ads',
};

/** A channel as people call it; one that is not known here is shown as the API writes it, in words. */
export function channelName(channel: string): string {
  const own = /^custom:(.+)$/.exec(channel)?.[1];
  if (own !== undefined) return own;
  const words = channel.replaceAll('_', ' ');
  return NAMES[channel] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
