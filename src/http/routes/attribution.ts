import type { Router } from 'express';
import { ATTRIBUTION_MODELS } from '../../schemas/attribution.js';
import { channelRows } from '../../domain/attribution/channel-report.js';
import { boundsOf, readCurrency, readPeriod } from '../answers/period.js';
import { authOf } from '../middleware/authenticate.js';
import type { RouteDeps } from '../route-deps.js';
import { readQuery } from '../middleware/query.js';

/** `GET /v1/attribution` (contract: "Beyond the specification"). */
export function attributionRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/attribution', ...deps.read, async (req, res) => {
    const { model, ...query } = readQuery(req, (given) => ({
      range: given.range(deps.now()),
      model: given.oneOf('model', ATTRIBUTION_MODELS) ?? 'last_touch',
      after: given.receipt(),
      asOf: given.moment('as_of', deps.now(), deps.keptDays),
    }));
    const { shopId } = authOf(res);
    const { range, asOf } = query;
    const { currency: now } = await readCurrency(deps, shopId, query, { credits: true });
    const [credits, { currency, maker, parts }] = await Promise.all([
      deps.attribution(shopId, range, model, asOf),
      readPeriod(deps, shopId, query, now),
    ]);
    const note = maker.note(parts, { expenses: false });
    res.json({
      ...boundsOf(range),
      currency,
      model,
      channels: channelRows(credits, maker.spendByChannel(range, parts)),
      ...(note !== null && { currency_note: note }),
    });
  });
}
