import { setTimeout as sleep } from 'node:timers/promises';
import { LANDED_MS } from '../domain/as-of.js';
import { figureMaker, type FigureMaker, type SalesPart } from '../domain/metrics/figures.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { Receipt } from '../domain/receipts.js';
import { formatDay } from '../domain/time.js';
import type { ShopCurrency } from '../domain/source.js';
import type { CostSettingsRegistry } from '../repositories/cost-settings.js';
import type { RequirePush } from './freshness.js';
import type { PastSettingsRegistry } from '../repositories/past-settings.js';
import type { SourceRegistry } from '../repositories/sources.js';
import type { MetricsReader } from '../warehouse/queries/metrics.js';

/** What figures of a period are read with. */
export interface PeriodDeps {
  now: () => number;
  /** Waits for the push that `after` names; called before anything else is read. */
  requirePush: RequirePush;
  sources: SourceRegistry;
  costSettings: CostSettingsRegistry;
  pastSettings: PastSettingsRegistry;
  metrics: MetricsReader;
}

/** Which figures are asked for. */
export interface PeriodQuery {
  range: DayRange;
  after: Receipt | undefined;
  /** Microseconds since 1970 of the moment at which they stood so; absent: now. */
  asOf: number | undefined;
}

/** A range as answers show it. */
export function boundsOf({ from, to }: DayRange): { from: string; to: string } {
  return { from: formatDay(from), to: formatDay(to) };
}

/** In which currency figures of a range are, and what makes them from its parts. */
export interface Maker {
  currency: string;
  maker: FigureMaker;
}

type MakerDeps = Pick<PeriodDeps, 'costSettings' | 'pastSettings'>;

/** By the settings that hold, or held. `source` is that of now. */
export async function readMaker(
  { costSettings, pastSettings }: MakerDeps,
  shopId: string,
  { range, asOf }: PeriodQuery,
  source: ShopCurrency,
): Promise<Maker> {
  if (asOf === undefined) {
    const { currency } = source;
    return { currency, maker: figureMaker(await costSettings.over(shopId, source, range), currency, range) };
  }
  const { settings, currency } = await pastSettings.over(shopId, asOf, range, source.currency);
  return { currency, maker: figureMaker(settings, currency, range) };
}

/** With the parts of the range that the maker needs. */
export async function readPeriod(
  deps: MakerDeps & Pick<PeriodDeps, 'metrics'>,
  shopId: string,
  query: PeriodQuery,
  source: ShopCurrency,
): Promise<Maker & { parts: SalesPart[] }> {
  const { range, asOf } = query;
  const sums = (bounds: readonly number[]): Promise<SalesPart[]> => deps.metrics.parts(shopId, range, bounds, asOf);
  // Most settings cut nothing, so the sums of the whole are asked for besides them.
  const [made, uncut] = await Promise.all([readMaker(deps, shopId, query, source), sums([])]);
  const { bounds } = made.maker;
  return { ...made, parts: bounds.length === 0 ? uncut : await sums(bounds) };
}

/**
 * The currency of the shop, once its figures, and those of the days to compare with, can be read: they contain the push asked for,
 * and the moment is over.
 */
export async function readCurrency(
  { now, requirePush, sources }: Pick<PeriodDeps, 'now' | 'requirePush' | 'sources'>,
  shopId: string,
  { range, after, asOf }: PeriodQuery,
  { credits = false, compared }: { credits?: boolean; compared?: DayRange | undefined } = {},
): Promise<ShopCurrency> {
  // Before the settings are read, which the push may have changed.
  await requirePush(shopId, after, { range: compared === undefined ? range : [range, compared], credits });
  const source = await sources.require(shopId);
  const early = asOf === undefined ? 0 : asOf / 1000 + LANDED_MS - now();
  if (early > 0) await sleep(early);
  return source;
}
