import { checkRateRules, type RateInput } from '../domain/costs/rates.js';
import type { Sender } from '../domain/ingest.js';
import type { Items } from '../body/items.js';
import type { Yielder } from '../body/yielding.js';
import type { RatesPush } from '../queue/jobs.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { rateValidator, type RateBatchResult } from '../schemas/rates.js';
import { encodeRates } from '../warehouse/queries/rates.js';
import { checkNamed, type QueueDeps, queueItems, resultsOf, suppliedText } from './batch.js';
import { checkBy } from './check.js';

export interface RateIntakeDeps extends QueueDeps<RatesPush> {
  sources: SourceRegistry;
}

/**
 * Takes one push of exchange rates into the durable queue, under stamps that make the newest push of a currency and day win in
 * whatever order the jobs run. Throws `source_not_registered` and `queue_unavailable`.
 */
export type TakeRates = (sender: Sender, items: Items, yielder: Yielder) => Promise<RateBatchResult>;

export function createRateIntake(deps: RateIntakeDeps): TakeRates {
  return async (sender, items, yielder) => {
    const { shopId } = sender;
    // Another process may have changed the currency a moment ago.
    const { currency } = await deps.sources.require(shopId, { fresh: true });
    const checked = await checkNamed(items, yielder, {
      check: checkBy(rateValidator, (value) => checkRateRules(value, currency)),
      idsOf: (value) => ({ currency: suppliedText(value, 'currency'), day: suppliedText(value, 'day') }),
      read: (value) => value as RateInput,
    });
    const counts = await queueItems({ sender, kind: 'rates', checked }, deps, (header, stamped) => {
      return { push: { header }, segments: [encodeRates(shopId, stamped, currency)] };
    });
    return { ...counts, results: resultsOf(checked) };
  };
}
