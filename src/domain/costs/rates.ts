import type { ErrorDetail } from '../../errors.js';
import type { RateInput } from '../../schemas/rates.js';
import { isFields } from '../fields.js';

/** An item as it came over the wire, checked. */
export type { RateInput };

/** The rule of an item that its schema cannot express, on any JSON value: its currency is not that of the shop. */
export function checkRateRules(value: unknown, shopCurrency: string): ErrorDetail[] {
  if (!isFields(value) || value.currency !== shopCurrency) return [];
  const message = `currency must be another one than that of the registered source, ${shopCurrency}: its own amounts are never converted.`;
  return [{ code: 'invalid_value', message, field: 'currency' }];
}
