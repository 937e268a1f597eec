import { gatewayOf } from '../values.js';

/** The gateway whose fee is paid: of several the first that is neither gift card nor store credit. */
export function gatewayIn(names: readonly unknown[]): string | undefined {
  const gateways = names.map(gatewayOf).filter((name) => name !== undefined && name !== 'gift_card');
  return gateways.find((name) => name !== 'shopify_store_credit') ?? gateways[0];
}
