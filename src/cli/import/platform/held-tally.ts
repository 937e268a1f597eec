import { formatMoney, readMicros } from '../../../convert/amounts.js';
import type { HoldCode } from '../../../convert/holds.js';
import { compare } from '../../../domain/compare.js';
import { ERROR_CATALOGUE } from '../../../error-catalogue.js';
import { grouped } from '../../../operations/progress.js';
import { shownText } from '../shown-text.js';

/** Orders that are named for each reason. */
const MOST_NAMES = 10;
const LONGEST_NAME = 40;

interface Held {
  code: HoldCode;
  count: number;
  amount: bigint;
  /** The first ones. */
  names: string[];
}

/** The orders of a file that are held back, by reason. */
export interface HeldTally {
  /** @param name what people know the order by; @param amount as the platform writes it */
  add(code: HoldCode, name: string, amount: string | undefined): void;
  count(): number;
  /** Reason, orders and amount, the most frequent first. */
  rows(): [code: string, count: number, amount: string][];
  /** For each reason what it says, what to do, and the numbers of its orders. */
  sentences(): string[];
}

export function createHeldTally(): HeldTally {
  const byCode = new Map<HoldCode, Held>();
  const sorted = (): Held[] => [...byCode.values()].sort((a, b) => b.count - a.count || compare(a.code, b.code));
  return {
    add(code, name, amount) {
      const held = byCode.get(code) ?? { code, count: 0, amount: 0n, names: [] };
      byCode.set(code, held);
      held.count++;
      held.amount += readMicros(amount, 'rounded') ?? 0n;
      if (held.names.length < MOST_NAMES) held.names.push(shownText(name, LONGEST_NAME));
    },
    count: () => sorted().reduce((sum, { count }) => sum + count, 0),
    rows: () => sorted().map(({ code, count, amount }) => [code, count, formatMoney(amount)]),
    sentences: () =>
      sorted().flatMap(({ code, count, names }) => {
        const { meaning, remedy } = ERROR_CATALOGUE[code];
        const more = count > names.length ? ` and ${grouped(count - names.length)} more` : '';
        return [`${code}: ${meaning}`, `  What to do: ${remedy}`, `  Orders: ${names.join(', ')}${more}`];
      }),
  };
}
