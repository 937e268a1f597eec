import type { ChannelRow } from '../../../schemas/attribution.js';
import { formatPercent, micros } from '../shared/money.js';

const KINDS = [
  { key: 'proved', word: 'proved' },
  { key: 'claimed', word: 'claimed' },
  { key: 'ambiguous', word: 'unclear' },
] as const;

/** The revenue of a channel as a share of the largest one, by how sure it is: solid, hatched, or only its outline. */
export function Split({ row, most }: { row: ChannelRow; most: bigint }) {
  const revenue = micros(row.revenue);
  if (revenue <= 0n || most <= 0n) return null;
  const share = (part: bigint, of: bigint): number => Number((part * 10_000n) / of) / 10_000;
  let from = 0;
  const parts = KINDS.map(({ key, word }) => {
    const own = micros(row[key].revenue);
    const [x, width] = [from, share(own, most)];
    from += width;
    return { word, x, width, percent: formatPercent(String(share(own, revenue))) };
  }).filter(({ width }) => width > 0);
  return (
    <svg class="split" role="img" aria-label={parts.map(({ percent, word }) => `${percent} ${word}`).join(', ')}>
      <rect class="track" width="100%" height="10" />
      {parts.map(({ word, x, width }) => (
        <rect key={word} class={word} x={`${x * 100}%`} width={`${width * 100}%`} y="0.5" height="9" />
      ))}
    </svg>
  );
}
