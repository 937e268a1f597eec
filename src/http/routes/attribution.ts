import type { Router } from 'express';
import { attributionModels, type AttributionModel } from '../../domain/attribution.js';
import { channelRows } from '../../domain/channel-report.js';
import { figureMaker } from '../../domain/figures.js';
import { parseRange, type DayRange } from '../../domain/range.js';
import { formatDay } from '../../domain/time.js';
import { requestError } from '../../errors.js';
import { storeUnavailable } from '../../warehouse/client.js';
import { authOf } from '../authenticate.js';
import type { RouteDeps } from '../route-deps.js';
import { queryOf } from '../validate.js';

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
    const query = queryOf(req, ['from', 'to', 'model']);
    const range = parseRange(query.from, query.to, deps.now());
    const model = parseModel(query.model);
    const { shopId } = authOf(res);
    const { currency } = await deps.sources.require(shopId);
    const { credits, spend, note } = await read(shopId, range, model, currency).catch((error: unknown) => {
      throw storeUnavailable(error);
    });
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

function parseModel(text = 'last_touch'): AttributionModel {
  const model = attributionModels.find((name) => name === text);
  if (model !== undefined) return model;
  throw requestError('invalid_value', `model must be one of ${attributionModels.join(', ')}.`, 'model');
}
