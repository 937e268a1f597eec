import fc from 'fast-check';
import { costHistoryArbitrary, type CostHistory } from './cost-arbitrary.js';
import { sendCostPush } from './cost-requests.js';
import { runs } from './runs.js';
import type { Service, Shop } from './service.js';

/**
 * Pushes random histories, `count` at a time, each into a shop of its own, and checks each shop once its figures have settled.
 * `dress` adds to them.
 */
export async function checkPushedHistories(
  service: Service,
  count: number,
  check: (shop: Shop, history: CostHistory) => Promise<void>,
  dress: (history: CostHistory) => CostHistory = (history) => history,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(costHistoryArbitrary, { minLength: count, maxLength: count }), async (found) => {
      const histories = found.map(dress);
      const shops = await Promise.all(
        histories.map(async (history) => {
          const shop = await service.shop({ timezone: history.zone });
          for (const push of history.pushes) await sendCostPush(shop, push);
          return { shop, history };
        }),
      );
      await service.settled();
      for (const { shop, history } of shops) await check(shop, history);
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
}
