/**
 * Spend and expenses in other currencies in the most naive exact way, without code of the service: day by day, in integers in which a
 * product of an amount and a rate comes out even, and a share of a week, of a month of 31 days and of a year of 365 too.
 */
const DAYS = 7n * 31n * 365n;
const SCALE = 10n ** 18n * DAYS;
/** Days that a rate holds after its own. */
const HELD = 7;
const DAY_MS = 86_400_000;

export interface Amount {
  /** Day of the spend; the first one of an expense. */
  day: string;
  currency: string;
  /** At most six decimals. */
  amount: string;
}
export interface SpendEntry extends Amount {
  channel: string;
}
export interface ExpenseEntry extends Amount {
  frequency: 'one_time' | 'weekly' | 'monthly' | 'yearly';
  isAdSpend: boolean;
}
/** Rates by currency and day, such as `USD 2026-03-02`; at most twelve decimals. */
export type Rates = ReadonlyMap<string, string>;

export interface Counted {
  ad_spend: string;
  operating_expenses: string;
  converted: { channel: string; currency: string; amount: string; ad_spend: string }[];
  left_out: { channel: string; currency: string; ad_spend: string }[];
}

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const digits = (decimal: string, decimals: number): bigint => {
  const [whole = '0', rest = ''] = decimal.split('.');
  return BigInt(whole + rest.padEnd(decimals, '0'));
};
const PARTS = { one_time: 1n, weekly: 7n, monthly: 31n, yearly: 365n } as const;

/** The newest rate of the day and the seven before, in 10^-12; null: there is none. */
function rateOn(rates: Rates, currency: string, day: string): bigint | null {
  for (let age = 0; age <= HELD; age++) {
    const rate = rates.get(`${currency} ${dayAfter(day, -age)}`);
    if (rate !== undefined) return digits(rate, 12);
  }
  return null;
}

/** Half-up at the sixth decimal, as answers write it. */
function shown(value: bigint): string {
  const unit = SCALE / 10n ** 6n;
  const micros = (2n * value + unit) / (2n * unit);
  const decimals = String(micros % 1_000_000n).padStart(6, '0');
  return `${micros / 1_000_000n}.${decimals.replace(/0{1,4}$/, '')}`;
}

/** What of these counts from the first to the last day. `rates` null: the source does not convert. */
export function countedOf(
  { from, to, currency }: { from: string; to: string; currency: string },
  spend: readonly SpendEntry[],
  expenses: readonly ExpenseEntry[],
  rates: Rates | null,
): Counted {
  let [adSpend, operating] = [0n, 0n];
  const converted = new Map<string, { own: bigint; worth: bigint }>();
  const left = new Map<string, bigint>();
  const add = (channel: string | null, code: string, day: string, own: bigint): void => {
    const rate = code === currency ? 10n ** 12n : rates === null ? null : rateOn(rates, code, day);
    const key = `${code} ${channel}`;
    if (rate === null) {
      if (channel !== null) left.set(key, (left.get(key) ?? 0n) + own);
      return;
    }
    const worth = (own * rate) / 10n ** 12n;
    if (channel === null) operating += worth;
    else adSpend += worth;
    if (code === currency || channel === null) return;
    const known = converted.get(key) ?? { own: 0n, worth: 0n };
    converted.set(key, { own: known.own + own, worth: known.worth + worth });
  };
  for (let day = from; day <= to; day = dayAfter(day, 1)) {
    for (const one of spend)
      if (one.day === day) add(`custom:${one.channel}`, one.currency, day, (digits(one.amount, 6) * SCALE) / 10n ** 6n);
    for (const one of expenses) {
      const isDue = one.frequency === 'one_time' ? one.day === day : one.day <= day;
      const share = (digits(one.amount, 6) * SCALE) / 10n ** 6n / PARTS[one.frequency];
      if (isDue) add(one.isAdSpend ? 'expenses' : null, one.currency, day, share);
    }
  }
  const listed = <T>(entries: ReadonlyMap<string, T>): [string, string, T][] =>
    [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key.slice(4), key.slice(0, 3), value]);
  return {
    ad_spend: shown(adSpend),
    operating_expenses: shown(operating),
    converted: listed(converted).map(([channel, code, { own, worth }]) => ({
      channel,
      currency: code,
      amount: shown(own),
      ad_spend: shown(worth),
    })),
    left_out: listed(left).map(([channel, code, own]) => ({ channel, currency: code, ad_spend: shown(own) })),
  };
}
