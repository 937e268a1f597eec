import { canonicalDecimal } from '../../domain/money.js';
import { parseRange, type DayRange } from '../../domain/metrics/range.js';
import { MAX_CHARACTERS, requestError } from '../../errors.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import type { FoundRefunds } from '../../schemas/app.js';
import type { AppRoutes } from './app-routes.js';
import { shopOf } from './shops.js';

export interface RefundRouteDeps {
  sources: SourceRegistry;
  /** The newest of these days whose id begins so, in any case; at most so many. */
  findRefunds: (shopId: string, range: DayRange, q: string, most: number) => Promise<FoundRefunds['refunds']>;
  now: () => number;
}

const MAX_FOUND = 5;

/** `GET /app/api/shops/:shop/refunds?q=R-1&from=2026-03-01&to=2026-03-31`: refunds of these days whose id begins so. */
export function refundRoutes(routes: AppRoutes, { sources, findRefunds, now }: RefundRouteDeps): void {
  routes.get('/app/api/shops/:shop/refunds', async (req, res) => {
    const { q, from, to } = req.query;
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
    if (typeof q !== 'string' || q === '' || q.length > MAX_CHARACTERS)
      throw requestError('invalid_value', `q must be a text of 1 to ${MAX_CHARACTERS} characters.`, 'q');
    const range = parseRange(text(from), text(to), now());
    const shopId = shopOf(req);
    const { currency } = await sources.require(shopId);
    const found = await findRefunds(shopId, range, q, MAX_FOUND);
    const refunds = found.map((refund) => ({ ...refund, total: canonicalDecimal(refund.total) }));
    res.json({ currency, refunds } satisfies FoundRefunds);
  });
}
