import type { ErrorDetail } from '../../errors.js';
import type { ProductCostInput } from '../../schemas/product-costs.js';
import { isCurrency } from '../currency.js';
import { isFields } from '../fields.js';

/** An item as it came over the wire, checked. */
export type { ProductCostInput };

/** The day number that means "from the beginning": it lies before every day. */
export const FROM_THE_BEGINNING = -1;

/**
 * The rules of an item that its schema cannot express, on any JSON value: a version that is not deleted has a cost, and a
 * currency, where it is given, is that of the shop.
 */
export function checkProductCostRules(value: unknown, currency: string): ErrorDetail[] {
  if (!isFields(value)) return [];
  const errors: ErrorDetail[] = [];
  if (value.unit_cost === undefined && value.deleted !== true) {
    const message = 'unit_cost is required unless deleted is true.';
    errors.push({ code: 'missing_field', message, field: 'unit_cost' });
  }
  const given = value.currency;
  if (typeof given === 'string' && isCurrency(given) && given !== currency) {
    const message = `currency must be the currency of the registered source, ${currency}; it is "${given}".`;
    errors.push({ code: 'currency_mismatch', message, field: 'currency' });
  }
  return errors;
}
