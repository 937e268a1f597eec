import { useMay } from '../shared/signed-in.js';

/** Names a push; leads to what is known of it, for who may see that. */
export function Receipt({ shop, receipt }: { shop: string; receipt: string }) {
  if (!useMay('manager')) return <>{receipt}</>;
  const query = new URLSearchParams({ shop, tab: 'log', receipt });
  return <a href={`/developers?${query.toString()}`}>{receipt}</a>;
}
