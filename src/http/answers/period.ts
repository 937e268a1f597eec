import { setTimeout as sleep } from 'node:timers/promises';
import { LANDED_MS } from '../../domain/as-of.js';
import { figureMaker, type FigureMaker, type SalesPart } from '../../domain/metrics/figures.js';
import type { DayRange } from '../../domain/metrics/range.js';
import type { Receipt } from '../../domain/receipts.js';
import type { RouteDeps } from '../route-deps.js';

/** Which figures are asked for. */
export interface PeriodQuery {
  range: DayRange;
  after: Receipt | undefined;
  /** Microseconds since 1970 of the moment at which they stood so; absent: now. */
  asOf: number | undefined;
}

export interface Period {
  currency: string;
  maker: FigureMaker;
  /** The parts of the range that the maker needs. */
  parts: () => Promise<SalesPart[]>;
  /** The range as one part; none without rollups. */
  whole: () => Promise<SalesPart[]>;
}

type PeriodDeps = Pick<RouteDeps, 'now' | 'requirePush' | 'sources' | 'costSettings' | 'pastSettings' | 'metrics'>;

/** Currency, settings and sums of a period, as they are or as they were. Throws `source_not_registered` and `not_fresh_yet`. */
export async function readPeriod(
  deps: PeriodDeps,
  shopId: string,
  query: PeriodQuery,
  options: { credits: boolean } = { credits: false },
): Promise<Period> {
  const { range, asOf } = query;
  const { currency } = await readCurrency(deps, shopId, query, options);
  const sums = (bounds: readonly number[]): Promise<SalesPart[]> => deps.metrics.parts(shopId, range, bounds, asOf);
  if (asOf === undefined) {
    const maker = figureMaker(await deps.costSettings.find(shopId), currency, range);
    return { currency, maker, parts: () => sums(maker.bounds), whole: () => sums([]) };
  }
  // Settings of then are a query, and most of them cut nothing: the sums are asked for beside it.
  const [{ source, ...settings }, uncut] = await Promise.all([deps.pastSettings(shopId, asOf), sums([])]);
  const then = source?.currency ?? currency;
  const maker = figureMaker(settings, then, range);
  const whole = (): Promise<SalesPart[]> => Promise.resolve(uncut);
  return { currency: then, maker, parts: () => (maker.bounds.length === 0 ? whole() : sums(maker.bounds)), whole };
}

/** The currency of the shop, once its figures can be read: they contain the push asked for, and the moment is over. */
export async function readCurrency(
  { now, requirePush, sources }: Pick<PeriodDeps, 'now' | 'requirePush' | 'sources'>,
  shopId: string,
  { range, after, asOf }: PeriodQuery,
  { credits } = { credits: false },
): Promise<{ currency: string }> {
  // Before the settings are read, which the push may have changed.
  await requirePush(shopId, after, { range, credits });
  const source = await sources.require(shopId);
  const early = asOf === undefined ? 0 : asOf / 1000 + LANDED_MS - now();
  if (early > 0) await sleep(early);
  return source;
}
