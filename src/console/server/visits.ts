import type { SourceRegistry } from '../../repositories/sources.js';
import type { Visits } from '../../redis/visits.js';
import { VisitAnswer } from '../../schemas/app.js';
import { appRoute, type AppRoute } from './app-route.js';

export interface VisitRouteDeps {
  visits: Visits;
  sources: SourceRegistry;
  now: () => number;
}

/** When who is signed in was at a shop before; the admin token is no person, and has no visits. */
export const visitRoutes: readonly AppRoute<VisitRouteDeps>[] = [
  appRoute('viewer', 'GET /app/api/shops/:shop/visit', {
    answers: { 200: VisitAnswer },
    async run({ shopId, session: { who } }, { visits, now }) {
      const end = who.personId === '' ? null : await visits.endBefore(who.personId, shopId, now());
      return { ended_at: end === null ? null : new Date(end).toISOString() };
    },
  }),
  appRoute('viewer', 'POST /app/api/shops/:shop/visit', {
    errors: ['source_not_registered'],
    async run({ shopId, session: { who } }, { visits, sources, now }) {
      await sources.require(shopId);
      if (who.personId !== '') await visits.note(who.personId, shopId, now());
    },
  }),
];
