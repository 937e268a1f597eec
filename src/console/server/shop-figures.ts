import Type from 'typebox';
import { isShopId } from '../../domain/keys.js';
import { figureMaker, type SalesPart } from '../../domain/metrics/figures.js';
import { toMetrics, toStatement } from '../../domain/metrics/metrics.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { maySee } from '../../domain/people.js';
import { formatDay } from '../../domain/time.js';
import { localDayIn } from '../../domain/zones/local-day.js';
import { requestError } from '../../errors.js';
import { parameter } from '../../http/parameters.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { FiguresAnswer, MAX_SHOPS, type ShopFigures } from '../../schemas/app.js';
import type { RangeCoverage } from '../../schemas/metrics.js';
import { appRoute, type AppRoute } from './app-route.js';

export interface ShopFiguresDeps {
  now: () => number;
  sources: SourceRegistry;
  costSettings: CostSettingsRegistry;
  metrics: {
    /** A part for each day that has figures. */
    daily(shopId: string, range: DayRange): Promise<SalesPart[]>;
    lastDayWithOrders(shopId: string): Promise<string | null>;
  };
}

const shopIdsIn = (text: string): string[] | null => {
  const ids = [...new Set(text.split(',', MAX_SHOPS + 1))];
  return ids.length <= MAX_SHOPS && ids.every(isShopId) ? ids : null;
};
const RULE = `must be 1 to ${MAX_SHOPS} shop ids, joined by commas`;

/** This month of several shops, each in its own currency and days. Of each it costs a query or two. */
export const shopFiguresRoutes: readonly AppRoute<ShopFiguresDeps>[] = [
  appRoute('viewer', 'GET /app/api/figures', {
    query: { shops: parameter('shops', { description: 'Ids of shops.', schema: Type.String() }, shopIdsIn, RULE) },
    answers: { 200: FiguresAnswer },
    async run({ session: { who }, query: { shops } }, deps) {
      if (shops === undefined) throw requestError('invalid_value', `shops ${RULE}.`, 'shops');
      const found = await Promise.all(shops.filter((id) => maySee(who, id)).map((id) => monthOf(deps, id)));
      return { shops: found.filter((figures) => figures !== null) };
    },
  }),
];

/** The days of this month up to today. */
export function monthSoFar(timezone: string, nowMs: number): DayRange {
  const to = localDayIn(timezone)(nowMs * 1000);
  return { from: to - Number(formatDay(to).slice(8)) + 1, to };
}

/** Products are not read. */
const ofOrders = ({ products_without_cost: _unread, ...coverage }: RangeCoverage): ShopFigures['coverage'] => coverage;

/** Null: the shop has not registered a source. */
async function monthOf(deps: ShopFiguresDeps, shopId: string): Promise<ShopFigures | null> {
  const source = await deps.sources.find(shopId, { fresh: true });
  if (source === null) return null;
  const range = monthSoFar(source.timezone, deps.now());
  const { to } = range;
  const [settings, parts] = await Promise.all([
    deps.costSettings.over(shopId, source, range),
    deps.metrics.daily(shopId, range),
  ]);
  const maker = figureMaker(settings, source.currency, range);
  const figures = maker.figures(range, parts);
  const { earnings } = toStatement(figures);
  const byDay = Array.from({ length: to - range.from + 1 }, (_, i) => {
    const day = range.from + i;
    const own = parts.filter((part) => part.day === day);
    return toStatement(maker.figures({ from: day, to: day }, own)).earnings;
  });
  const { orders, revenue } = toMetrics(figures);
  const isQuiet = orders === 0 && source.lockedAt !== null;
  const last = isQuiet ? await deps.metrics.lastDayWithOrders(shopId) : null;
  return {
    shop_id: shopId,
    from: formatDay(range.from),
    to: formatDay(to),
    orders,
    revenue,
    earnings,
    by_day: byDay,
    coverage: ofOrders(maker.coverage(parts, 0)),
    left_out: [...new Set(maker.leftOut(parts, { expenses: true })?.spend.map(({ currency }) => currency))],
    last_day_with_orders: last,
  };
}
