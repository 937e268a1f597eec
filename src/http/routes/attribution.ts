import type { Router } from 'express';
import { attributionModels, type AttributionModel } from '../../domain/attribution/attribution.js';
import { channelRows } from '../../domain/attribution/channel-report.js';
import { figureMaker } from '../../domain/metrics/figures.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import { authOf } from '../middleware/authenticate.js';
import type { RouteDeps } from '../route-deps.js';
import { readQuery } from '../middleware/query.js';

/** `GET /v1/attribution` (contract: "Beyond the specification"). */
export function attributionRoutes(router: Router, deps: RouteDeps): void {
  const read = async (shopId: string, range: DayRange, model: AttributionModel, currency: string) => {
    const maker = figureMaker(await deps.costSettings.find(shopId), currency, range);
    const [credits, parts] = await Promise.all([
      deps.attribution(shopId, range, model),
      deps.metrics.parts(shopId, range, maker.bounds),
    ]);
    return { credits, spend: maker.spendByChannel(range, parts), note: maker.note(parts, { expenses: false }) };
  };

  router.get('/v1/attribution', ...deps.read, async (req, res) => {
    const { range, model, after } = readQuery(req, (query) => ({
      range: query.range(deps.now()),
      model: query.oneOf('model', attributionModels, 'last_touch'),
      after: query.receipt(),
    }));
    const { shopId } = authOf(res);
    await deps.requirePush(shopId, after, { range, credits: true });
    const { currency } = await deps.sources.require(shopId);
    const { credits, spend, note } = await read(shopId, range, model, currency);
    res.json({
      from: formatDay(range.from),
      to: formatDay(range.to),
      currency,
      model,
      channels: channelRows(credits, spend),
      ...(note !== null && { currency_note: note }),
    });
  });
}
