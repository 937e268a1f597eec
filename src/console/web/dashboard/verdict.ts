import { formatCount } from '../shared/money.js';

export interface Verdict {
  /** Before the number; empty: all is known. */
  word: '' | 'at most' | 'at least' | 'incomplete';
  /** What is not known. */
  gaps: string[];
}

/** What coverage says of the earnings; shares in percent, null without orders. */
interface Known {
  cogs_complete: number | null;
  tax_present: number | null;
  fulfillment_known?: number | null;
  refunds_without_tax?: number;
}

const SHARES = [
  { key: 'cogs_complete', what: 'product costs' },
  { key: 'tax_present', what: 'the tax' },
  { key: 'fulfillment_known', what: 'packing and shipping' },
] as const;

/** What is not known counts 0: a cost or a tax makes the real earnings lower, tax that was given back makes them higher. */
export function verdictOf(coverage: Known): Verdict {
  const lower = SHARES.flatMap(({ key, what }) => {
    const known = coverage[key] ?? 100;
    return known === 100 ? [] : [`${what} (known for ${known} % of the orders)`];
  });
  const refunds = coverage.refunds_without_tax ?? 0;
  const higher = refunds === 0 ? [] : [`the tax of ${formatCount(refunds)} ${refunds === 1 ? 'refund' : 'refunds'}`];
  const one = lower.length > 0 ? 'at most' : higher.length > 0 ? 'at least' : '';
  return { word: lower.length > 0 && higher.length > 0 ? 'incomplete' : one, gaps: [...lower, ...higher] };
}
