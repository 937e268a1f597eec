import { gatewayKey } from '../domain/costs/gateway-keys.js';
import { checkOrderRules, type OrderRuleContext } from '../domain/orders/order-rules.js';
import type { OrderWarning } from '../domain/orders/warning-codes.js';
import type { OrderInput } from '../domain/orders/orders.js';
import { echo, type ErrorDetail } from '../errors.js';
import { MAX_GATEWAYS } from '../repositories/shop-names.js';
import { orderValidator, type OrderBatchResult, type OrderResult } from '../schemas/orders.js';

/** An item of a push. */
export interface CheckedOrder {
  orderId: string | null;
  /** None on a valid item. */
  errors: readonly ErrorDetail[];
  warnings: readonly OrderWarning[];
}

/** All faults of an item, at most `limit`; `refused` are gateways that are too many for the shop. */
export function faultsOf(
  item: unknown,
  context: OrderRuleContext,
  refused: ReadonlySet<string> | undefined,
  limit: number,
): readonly ErrorDetail[] {
  const ofForm = orderValidator.check(item, limit);
  const ofRules = ofForm.length < limit ? checkOrderRules(item, context, limit - ofForm.length) : [];
  if (ofForm.length > 0) return [...ofForm, ...ofRules];
  if (ofRules.length > 0 || refused === undefined) return ofRules;
  const gateway = (item as OrderInput).payment_gateway;
  return gateway !== undefined && refused.has(gatewayKey(gateway)) ? [tooManyGateways(gateway)] : ofRules;
}

function tooManyGateways(gateway: string): ErrorDetail {
  const message =
    `payment_gateway "${echo(gateway)}" would be one more than the ${MAX_GATEWAYS} payment gateways that a shop may have; ` +
    'use one of those sent before.';
  return { code: 'too_many', message, field: 'payment_gateway' };
}

/** The answer to a push; `accepted` are the outcomes of its valid items. */
export function toResult(checked: readonly CheckedOrder[], accepted: readonly boolean[]): OrderBatchResult {
  const counts = { accepted: 0, rejected: 0, superseded: 0 };
  let valid = 0;
  const results = checked.map(({ orderId, errors, warnings }): OrderResult => {
    if (errors.length > 0) {
      counts.rejected++;
      return { order_id: orderId, outcome: 'rejected', errors };
    }
    const outcome = accepted[valid++] === true ? 'accepted' : 'superseded';
    counts[outcome]++;
    return { order_id: orderId, outcome, ...(outcome === 'accepted' && warnings.length > 0 && { warnings }) };
  });
  return { ...counts, results };
}
