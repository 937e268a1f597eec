import type { ErrorDetail } from '../../errors.js';
import type { OrderCostInput } from '../../schemas/order-costs.js';
import { isFields } from '../fields.js';

/** An item as it came over the wire, checked. */
export type { OrderCostInput };

/** The rule of an item that its schema cannot express, on any JSON value: it says a cost, or takes one back. */
export function checkOrderCostRules(value: unknown): ErrorDetail[] {
  if (!isFields(value) || value.fulfillment_cost !== undefined || value.gateway_fee !== undefined) return [];
  const message = 'fulfillment_cost or gateway_fee is required: an amount, or null to take the value back.';
  return [{ code: 'missing_field', message, field: 'fulfillment_cost' }];
}
