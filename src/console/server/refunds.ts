import { canonicalDecimal } from '../../domain/money.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { requestError } from '../../errors.js';
import { RANGE, text } from '../../http/parameters.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { FoundRefunds } from '../../schemas/app.js';
import { appRoute, type AppRoute } from './app-route.js';

export interface RefundRouteDeps {
  sources: SourceRegistry;
  /** The newest of these days whose id begins so, in any case; at most so many. */
  findRefunds: (shopId: string, range: DayRange, q: string, most: number) => Promise<FoundRefunds['refunds']>;
}

const MAX_FOUND = 5;

/** Refunds of some days whose id begins with `q`. */
export const refundRoutes: readonly AppRoute<RefundRouteDeps>[] = [
  appRoute('viewer', 'GET /app/api/shops/:shop/refunds', {
    query: { range: RANGE, q: text('q', 'How the id begins.') },
    answers: { 200: FoundRefunds },
    errors: ['source_not_registered'],
    async run({ shopId, query: { range, q } }, { sources, findRefunds }) {
      if (q === undefined) throw requestError('invalid_value', 'q is required: how the id begins.', 'q');
      const { currency } = await sources.require(shopId);
      const found = await findRefunds(shopId, range, q, MAX_FOUND);
      return { currency, refunds: found.map((refund) => ({ ...refund, total: canonicalDecimal(refund.total) })) };
    },
  }),
];
