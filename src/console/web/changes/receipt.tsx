import { useMay } from '../shared/signed-in.js';

/** Of the 36 characters of a receipt. */
const SHOWN = 8;

/** Names a push; leads to what is known of it, for who may see that. */
export function Receipt({ shop, receipt }: { shop: string; receipt: string }) {
  const short = `${receipt.slice(0, SHOWN)}…`;
  if (!useMay('manager')) return <span title={receipt}>{short}</span>;
  const query = new URLSearchParams({ shop, tab: 'log', receipt });
  return (
    <a href={`/developers?${query.toString()}`} title={receipt}>
      {short}
    </a>
  );
}
