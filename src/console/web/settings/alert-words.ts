import type { AlertKind } from '../../../domain/alerts.js';

export const ALERT_NAMES: Readonly<Record<AlertKind, string>> = {
  data_stopped: 'No order arrives',
  refusals_rose: 'Refused orders rise',
  costs_fell: 'Known product costs fall',
  fees_fell: 'Known payment fees fall',
  past_day_changed: 'A past day changes',
  day_lost: 'A day ends with a loss',
  morning_summary: 'It is morning: statement of the day before',
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
    case 'morning_summary':
      return ['at', 'o’clock'];
  }
}
