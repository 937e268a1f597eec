import type { ErrorDetail } from '../../errors.js';
import type { RateInput } from '../../schemas/rates.js';
import { isFields } from '../fields.js';
import type { DayRange } from '../metrics/range.js';

/** An item as it came over the wire, checked. */
export type { RateInput };

/** The rule of an item that its schema cannot express, on any JSON value: its currency is not that of the shop. */
export function checkRateRules(value: unknown, shopCurrency: string): ErrorDetail[] {
  if (!isFields(value) || value.currency !== shopCurrency) return [];
  const message = `currency must be another one than that of the registered source, ${shopCurrency}: its own amounts are never converted.`;
  return [{ code: 'invalid_value', message, field: 'currency' }];
}

/** What one unit of a currency is worth in that of the shop on a day. */
export interface DayRate {
  currency: string;
  /** Day number. */
  day: number;
  /** Decimal above 0. */
  rate: string;
}

/** The rates by which amounts in other currencies count. */
export interface RateTable {
  /** The one that holds on a day; null: none does. */
  find(currency: string, day: number): DayRate | null;
  /** Days of the range after its first, ascending, on which another rate of any currency may begin to hold than the day before. */
  changes(range: DayRange): number[];
}

/** Days that a rate holds after its own, as long as no newer one comes. */
export const RATE_AGE_DAYS = 7;

export const NO_RATES: RateTable = { find: () => null, changes: () => [] };

export function rateTable(rates: readonly DayRate[]): RateTable {
  if (rates.length === 0) return NO_RATES;
  const known = new Map<string, Map<number, DayRate>>();
  for (const rate of rates) {
    const own = known.get(rate.currency) ?? new Map<number, DayRate>();
    known.set(rate.currency, own.set(rate.day, rate));
  }
  const begins = new Set(rates.flatMap(({ day }) => [day, day + RATE_AGE_DAYS + 1]));
  return {
    find(currency, day) {
      const own = known.get(currency);
      if (own === undefined) return null;
      for (let age = 0; age <= RATE_AGE_DAYS; age++) {
        const rate = own.get(day - age);
        if (rate !== undefined) return rate;
      }
      return null;
    },
    changes: ({ from, to }) => [...begins].filter((day) => day > from && day <= to).sort((a, b) => a - b),
  };
}
