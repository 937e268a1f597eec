import type { AlertKind } from '../../../domain/alerts.js';
import type { ShownAlert } from '../../../schemas/alerts.js';
import { formatDay } from '../shared/days.js';
import { formatExactMoney } from '../shared/money.js';

export const ALERT_NAMES: Readonly<Record<AlertKind, string>> = {
  data_stopped: 'No order arrives',
  refusals_rose: 'Refused orders rise',
  costs_fell: 'Known product costs fall',
  fees_fell: 'Known payment fees fall',
  past_day_changed: 'A past day changes',
  day_lost: 'A day ends with a loss',
};

/** The words before and after a threshold. */
export function thresholdWords(kind: AlertKind, currency: string): readonly [string, string] {
  switch (kind) {
    case 'data_stopped':
      return ['for', 'hours'];
    case 'refusals_rose':
      return ['above', '% of a day'];
    case 'costs_fell':
    case 'fees_fell':
      return ['below', '% of orders'];
    case 'past_day_changed':
      return ['by more than', currency];
    case 'day_lost':
      return ['of more than', currency];
  }
}

/** An alert as a sentence. */
export function sentenceOf({ kind, day, measured, threshold }: ShownAlert, currency: string): string {
  const of = day === null ? '' : formatDay(day);
  const money = (amount: string): string => formatExactMoney(amount, currency);
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
      return `${of} ended with ${money(measured)}.`;
  }
}
