import type { SourceRegistry } from '../../repositories/sources.js';
import type { Visits } from '../../redis/visits.js';
import type { VisitAnswer } from '../../schemas/app.js';
import type { AppRoutes } from './app-routes.js';
import { sessionOf } from './guard.js';
import { shopOf } from './shops.js';

export interface VisitRouteDeps {
  visits: Visits;
  sources: SourceRegistry;
  now: () => number;
}

const PATH = '/app/api/shops/:shop/visit';

/** When who is signed in was at a shop before; the admin token is no person, and has no visits. */
export function visitRoutes(routes: AppRoutes, { visits, sources, now }: VisitRouteDeps): void {
  routes.get(PATH, async (req, res) => {
    const { personId } = sessionOf(res).who;
    const end = personId === '' ? null : await visits.endBefore(personId, shopOf(req), now());
    res.json({ ended_at: end === null ? null : new Date(end).toISOString() } satisfies VisitAnswer);
  });

  routes.post(PATH, async (req, res) => {
    const { personId } = sessionOf(res).who;
    await sources.require(shopOf(req));
    if (personId !== '') await visits.note(personId, shopOf(req), now());
    res.status(204).end();
  });
}
