import { estimatedOrders, estimateFees } from '../../domain/costs/gateway-fees.js';
import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import type { SalesPart } from '../../domain/metrics/figures.js';
import { countOf, type SumName } from '../../domain/metrics/sums.js';
import { formatDecimal, sum } from '../../domain/money.js';
import { formatDay, parseDay } from '../../domain/time.js';
import { localDayIn } from '../../domain/zones/local-day.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { FeeOrders } from '../../schemas/app.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { appRoute, type AppRoute } from './app-route.js';
import type { ShopFiguresDeps } from './shop-figures.js';

export interface FeeOrdersDeps extends Pick<ShopFiguresDeps, 'metrics' | 'now'> {
  sources: SourceRegistry;
  costSettings: CostSettingsRegistry;
}

const DAYS = 30;
/** Gateways without a rule that an answer names. */
const MAX_NAMED = 5;

/** What each fee rule estimates, of the last 30 days up to today or the last order. */
export const feeOrdersRoutes: readonly AppRoute<FeeOrdersDeps>[] = [
  appRoute('viewer', 'GET /app/api/shops/:shop/gateway-fees/orders', {
    answers: { 200: FeeOrders },
    errors: ['source_not_registered'],
    async run({ shopId }, { sources, costSettings, metrics, now }) {
      const { timezone } = await sources.require(shopId);
      const today = localDayIn(timezone)(now() * 1000);
      const [last, rules] = await Promise.all([metrics.lastDayWithOrders(shopId), costSettings.rules(shopId)]);
      const lastDay = (last === null ? null : parseDay(last)) ?? today;
      const to = lastDay > today - DAYS ? today : lastDay;
      const range = { from: to - DAYS + 1, to };
      const parts = await metrics.daily(shopId, range);
      return { from: formatDay(range.from), to: formatDay(to), ...feeOrders(parts, rules) };
    },
  }),
];

function feeOrders(parts: readonly SalesPart[], rules: readonly GatewayFeeRule[]): Omit<FeeOrders, 'from' | 'to'> {
  const volumes = parts.flatMap(({ estimable }) => estimable);
  const through = new Map<string, number>();
  for (const { gateway, orders } of volumes) through.set(gateway, (through.get(gateway) ?? 0) + orders);
  const ruled = new Set(rules.map(({ payment_gateway }) => gatewayKey(payment_gateway)));
  const count = (name: SumName): number => countOf(sum(parts.map(({ sums }) => sums[name])));
  const [orders, actual, estimated] = [count('orders'), count('orders_fee_actual'), estimatedOrders(rules, volumes)];
  return {
    orders,
    estimated,
    fees: formatDecimal(estimateFees(rules, volumes)),
    unknown: orders - actual - estimated,
    rules: rules.map(({ payment_gateway }) => ({
      payment_gateway,
      orders: through.get(gatewayKey(payment_gateway)) ?? 0,
    })),
    without_rule: [...through]
      .filter(([gateway]) => gateway !== '' && !ruled.has(gateway))
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_NAMED)
      .map(([gateway]) => gateway),
  };
}
