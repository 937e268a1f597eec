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
  const words = channel.replace(/^custom:/, '').replace(/[-_]/g, ' ');
  return NAMES[channel] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
