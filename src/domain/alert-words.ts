import type { Finding } from './alerts.js';

/** How a sentence writes days (`YYYY-MM-DD`) and amounts in the currency of the shop. */
export interface Formats {
  day: (day: string) => string;
  money: (amount: string) => string;
}

/** An alert as a sentence. */
export function sentenceOf(
  { kind, day, measured, threshold }: Omit<Finding, 'day'> & { day: string | null },
  { day: formatDay, money }: Formats,
): string {
  const of = day === null ? '' : formatDay(day);
  switch (kind) {
    case 'data_stopped':
      return `No order arrived for ${measured} hours, although some usually do.`;
    case 'refusals_rose':
      return `${measured}% of the orders of a day were refused, more than ${threshold}%.`;
    case 'costs_fell':
      return `The product costs of ${measured}% of the orders are known, of less than ${threshold}%.`;
    case 'fees_fell':
      return `The payment fees of ${measured}% of the orders are known, of less than ${threshold}%.`;
    case 'past_day_changed':
      return `The earnings of ${of} changed by ${money(measured)}.`;
    case 'day_lost':
    case 'morning_summary':
      return `${of} ended with ${money(measured)}.`;
  }
}
