import type { AlertFacts, AlertKind, AlertRule } from '../domain/alerts.js';
import { LANDED_MS } from '../domain/as-of.js';
import { COVERAGE_DAYS } from '../domain/ingest-status.js';
import { figureMaker, type FigureMaker, type SalesPart } from '../domain/metrics/figures.js';
import { figureValue } from '../domain/metrics/metrics.js';
import type { Fraction } from '../domain/money.js';
import type { SourceRecord } from '../domain/source.js';
import { formatDay, MS_PER_DAY } from '../domain/time.js';
import { localDayIn } from '../domain/zones/local-day.js';
import type { MetricsReader } from '../warehouse/queries/metrics.js';
import type { ReadArrivals } from '../warehouse/queries/order-arrivals.js';
import type { RestatementReader } from '../warehouse/queries/restatements.js';
import type { PeriodDeps } from './period.js';
import { readStates } from './restatements.js';

export interface AlertFactDeps extends Pick<PeriodDeps, 'now' | 'costSettings' | 'pastSettings'> {
  metrics: Pick<MetricsReader, 'parts' | 'daily'>;
  restatements: Pick<RestatementReader, 'moments' | 'settingsMoments' | 'states'>;
  readArrivals: ReadArrivals;
}

/** Days of which a loss is reported when costs of them come late. */
const LOSS_DAYS = 3;
/** How long ago a past day is compared with. */
const CHANGED_MS = MS_PER_DAY;
const PAST_DAYS = 366;
/** A change of settings changes every past day: the newest so many moments are looked at, of so many days. */
const MAX_MOMENTS = 400;
const MAX_DAYS = 100;

/** What the rules of a shop are compared with. Reads nothing for rules that are off. */
export async function readAlertFacts(
  deps: AlertFactDeps,
  shopId: string,
  source: SourceRecord,
  rules: readonly AlertRule[],
): Promise<AlertFacts> {
  const nowMs = deps.now();
  const ruleOf = (kind: AlertKind): AlertRule | undefined => rules.find((rule) => rule.kind === kind && rule.isOn);
  const [stopped, refused, costs, fees, changed, lost] = [
    ruleOf('data_stopped'),
    ruleOf('refusals_rose'),
    ruleOf('costs_fell'),
    ruleOf('fees_fell'),
    ruleOf('past_day_changed'),
    ruleOf('day_lost'),
  ];
  const shop: Shop = { shopId, source, nowMs, today: localDayIn(source.timezone)(nowMs * 1000) };
  const [arrivals, known, changedDays, ended] = await Promise.all([
    (stopped ?? refused) && deps.readArrivals(shopId, { nowMs, hours: Number(stopped?.threshold ?? 1) }),
    (costs ?? fees) && readKnown(deps, shop),
    changed && readChanged(deps, shop, changed.onSince ?? nowMs),
    lost && readEnded(deps, shop, lost.onSince ?? nowMs),
  ]);
  return {
    ...(stopped && arrivals && { arrivals: arrivals.arrivals }),
    ...(refused && arrivals && { refusals: arrivals.refusals }),
    ...(costs && known && { costs: known.costs }),
    ...(fees && known && { fees: known.fees }),
    ...(changedDays && { changed: changedDays }),
    ...(ended && { ended }),
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

async function readEnded(
  { metrics, costSettings }: AlertFactDeps,
  { shopId, source, today }: Shop,
  sinceMs: number,
): Promise<AlertFacts['ended']> {
  const range = { from: Math.max(today - LOSS_DAYS, localDayIn(source.timezone)(sinceMs * 1000)), to: today - 1 };
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

/** Days that were over and changed since. A day that ended meanwhile is compared with its end. */
async function readChanged(deps: AlertFactDeps, shop: Shop, onSince: number): Promise<AlertFacts['changed']> {
  const { restatements } = deps;
  const { shopId, source, nowMs, today } = shop;
  const until = (nowMs - LANDED_MS) * 1000;
  const since = Math.max(nowMs - CHANGED_MS, onSince) * 1000;
  if (since >= until) return [];
  const range = { from: Math.max(0, today - PAST_DAYS), to: today - 1 };
  const moments = await restatements.moments({
    shopId,
    range,
    timezone: source.timezone,
    limit: MAX_MOMENTS,
    newestFirst: true,
    from: { at: since, day: range.from },
    until: { at: until, day: range.to },
  });
  // The state before its first change as a past day is the one at its end, or at the beginning.
  const firsts = new Map<number, number>();
  for (const { day, at } of moments) {
    if (firsts.has(day) || firsts.size < MAX_DAYS) firsts.set(day, at);
  }
  const pairs = [...firsts].flatMap(([day, first]) => [
    { day, at: first - 1 },
    { day, at: until },
  ]);
  if (pairs.length === 0) return [];
  const settingsMoments = await restatements.settingsMoments(shopId, Math.min(...firsts.values()), until);
  const stateOf = await readStates(deps, { shopId, range, currency: source.currency }, pairs, settingsMoments);
  const earnedAt = (day: number, index: number): Fraction => {
    const { maker, sales } = stateOf(index);
    return earningsOf(maker, day, sales === undefined ? [] : [sales]);
  };
  return [...firsts.keys()].map((day, i) => ({
    day: formatDay(day),
    before: earnedAt(day, 2 * i),
    after: earnedAt(day, 2 * i + 1),
  }));
}

const earningsOf = (maker: FigureMaker, day: number, parts: readonly SalesPart[]): Fraction =>
  figureValue('earnings', maker.figures({ from: day, to: day }, parts));
