import { compare } from '../compare.js';
import { cut, formatExact, isZero, minus, plus, ZERO, type Fraction } from '../money.js';

/**
 * Amounts by name, such as `daily_orders.revenue` or `order_days[1001].refunds`: what one side says of a day. An amount that
 * is absent is zero.
 */
export type Ledger = Map<string, Fraction>;

/** An amount that is not what the newest stored rows come to. */
export interface Difference {
  figure: string;
  /** What is stored, as a decimal. */
  stored: string;
  /** What it should be, as a decimal. */
  computed: string;
}

const SCALE = 12;

export function add(ledger: Ledger, name: string, amount: Fraction): void {
  if (isZero(amount)) return;
  ledger.set(name, plus(ledger.get(name) ?? ZERO, amount));
}

/** Amounts in which the two differ, by name. */
export function differences(stored: Ledger, computed: Ledger): Difference[] {
  const found: Difference[] = [];
  for (const name of new Set([...stored.keys(), ...computed.keys()])) {
    const [is, should] = [stored.get(name) ?? ZERO, computed.get(name) ?? ZERO];
    if (!isZero(minus(is, should))) found.push({ figure: name, stored: text(is), computed: text(should) });
  }
  return found.sort((a, b) => compare(a.figure, b.figure));
}

/** All digits: the warehouse has no more than twelve behind the point. */
const text = (amount: Fraction): string => formatExact(cut(amount, SCALE).num);
