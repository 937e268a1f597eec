import type { GatewayFeeRule } from '../schemas/gateway-fees.js';
import type { IngestHeader, Sender } from '../domain/ingest.js';
import type { CostSettingsRegistry } from '../repositories/cost-settings.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { logChange } from './batch.js';

export interface GatewayFeeIntakeDeps {
  sources: SourceRegistry;
  costSettings: Pick<CostSettingsRegistry, 'replaceRules'>;
  writeLog: (headers: readonly IngestHeader[]) => Promise<void>;
  now: () => number;
}

/**
 * Replaces the fee rules of a shop, which are stored before they are answered; gives the receipt. Throws `source_not_registered`
 * and `store_unavailable`.
 */
export type TakeGatewayFees = (sender: Sender, rules: readonly GatewayFeeRule[]) => Promise<string>;

export function createGatewayFeeIntake(deps: GatewayFeeIntakeDeps): TakeGatewayFees {
  const { sources, costSettings } = deps;

  return async (sender, rules) => {
    const { shopId } = sender;
    await sources.require(shopId);
    const stamp = await costSettings.replaceRules(shopId, rules);
    return logChange({ sender, kind: 'gateway_fees', stamp }, deps);
  };
}
