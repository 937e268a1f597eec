import type { AlertFacts, AlertKind, AlertRule } from '../domain/alerts.js';
import { LANDED_MS } from '../domain/as-of.js';
import { COVERAGE_DAYS } from '../domain/ingest-status.js';
import { figureMaker } from '../domain/metrics/figures.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { Fraction } from '../domain/money.js';
import type { SourceRecord } from '../domain/source.js';
import { formatDay, MS_PER_DAY } from '../domain/time.js';
import { localDayIn, localHourIn } from '../domain/zones/local-day.js';
import type { MetricsReader } from '../warehouse/queries/metrics.js';
import type { ReadArrivals } from '../warehouse/queries/order-arrivals.js';
import type { PeriodDeps } from './period.js';
import { earningsOf, readChangedDays, type ChangedDay, type ChangedDayDeps } from './changed-days.js';

export interface AlertFactDeps extends ChangedDayDeps, Pick<PeriodDeps, 'now' | 'costSettings'> {
  metrics: Pick<MetricsReader, 'parts' | 'daily'>;
  readArrivals: ReadArrivals;
}

/** Days of which a loss is reported when costs of them come late. */
const LOSS_DAYS = 3;
/** How long ago a past day is compared with. */
const CHANGED_MS = MS_PER_DAY;

/** What the rules of a shop are compared with. Reads nothing for rules that are off. */
export async function readAlertFacts(
  deps: AlertFactDeps,
  shopId: string,
  source: SourceRecord,
  rules: readonly AlertRule[],
): Promise<AlertFacts> {
  const nowMs = deps.now();
  const ruleOf = (kind: AlertKind): AlertRule | undefined => rules.find((rule) => rule.kind === kind && rule.isOn);
  const [stopped, refused, costs, fees, changed, lost, morning] = [
    ruleOf('data_stopped'),
    ruleOf('refusals_rose'),
    ruleOf('costs_fell'),
    ruleOf('fees_fell'),
    ruleOf('past_day_changed'),
    ruleOf('day_lost'),
    ruleOf('morning_summary'),
  ];
  const shop: Shop = { shopId, source, nowMs, today: localDayIn(source.timezone)(nowMs * 1000) };
  const [arrivals, known, changedDays, ended, yesterday] = await Promise.all([
    (stopped ?? refused) && deps.readArrivals(shopId, { nowMs, hours: Number(stopped?.threshold ?? 1) }),
    (costs ?? fees) && readKnown(deps, shop),
    changed && readChangedLately(deps, shop, changed.onSince ?? nowMs),
    lost && readEnded(deps, shop, lostDays(shop, lost.onSince ?? nowMs)),
    morning && isMorning(shop, morning)
      ? readEnded(deps, shop, { from: shop.today - 1, to: shop.today - 1 })
      : undefined,
  ]);
  return {
    ...(stopped && arrivals && { arrivals: arrivals.arrivals }),
    ...(refused && arrivals && { refusals: arrivals.refusals }),
    ...(costs && known && { costs: known.costs }),
    ...(fees && known && { fees: known.fees }),
    ...(changedDays && { changed: changedDays }),
    ...(ended && { ended }),
    ...(yesterday?.[0] && { morning: yesterday[0] }),
  };
}

interface Shop {
  shopId: string;
  source: SourceRecord;
  nowMs: number;
  /** Day number. */
  today: number;
}

async function readKnown(
  { metrics, costSettings }: AlertFactDeps,
  { shopId, source, today }: Shop,
): Promise<Required<Pick<AlertFacts, 'costs' | 'fees'>>> {
  const range = { from: today - COVERAGE_DAYS + 1, to: today };
  const [settings, parts] = await Promise.all([
    costSettings.over(shopId, source, range),
    metrics.parts(shopId, range, []),
  ]);
  const { orders, orders_without_cost, orders_without_fee } = figureMaker(settings, source.currency, range).coverage(
    parts,
    0,
  );
  return {
    costs: { orders, known: orders - orders_without_cost },
    fees: { orders, known: orders - orders_without_fee },
  };
}

const lostDays = ({ source, today }: Shop, sinceMs: number): DayRange => ({
  from: Math.max(today - LOSS_DAYS, localDayIn(source.timezone)(sinceMs * 1000)),
  to: today - 1,
});

/** Whether the hour of today is there, and was not when the rule was turned on. */
function isMorning({ source: { timezone }, nowMs, today }: Shop, { threshold, onSince }: AlertRule): boolean {
  const isReached = (ms: number): boolean => localHourIn(timezone)(ms * 1000) >= Number(threshold);
  const isTooLate = onSince !== null && localDayIn(timezone)(onSince * 1000) === today && isReached(onSince);
  return isReached(nowMs) && !isTooLate;
}

async function readEnded(
  { metrics, costSettings }: AlertFactDeps,
  { shopId, source }: Shop,
  range: DayRange,
): Promise<{ day: string; earnings: Fraction }[]> {
  if (range.from > range.to) return [];
  const [settings, parts] = await Promise.all([costSettings.over(shopId, source, range), metrics.daily(shopId, range)]);
  const maker = figureMaker(settings, source.currency, range);
  return Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i).map((day) => ({
    day: formatDay(day),
    earnings: earningsOf(
      maker,
      day,
      parts.filter((part) => part.day === day),
    ),
  }));
}

/** Days that were over and changed in the last 24 hours, since the rule is on. */
function readChangedLately(deps: AlertFactDeps, shop: Shop, onSince: number): Promise<ChangedDay[]> {
  const { shopId, source, nowMs, today } = shop;
  const until = nowMs - LANDED_MS;
  const span = { since: Math.max(nowMs - CHANGED_MS, onSince), until, lastDay: today - 1 };
  return readChangedDays(deps, shopId, source, span);
}
