import type { RequestHandler, Response } from 'express';
import type { ShareLink } from '../../domain/share-links.js';
import { formatDay, parseDay } from '../../domain/time.js';
import { requestError } from '../../errors.js';
import { json } from '../../http/request-bodies.js';
import type { ShareLinks } from '../../repositories/share-links.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  FreshShareLink,
  SharedView,
  ShareLinksAnswer,
  shareValidator,
  type AppShareLink,
} from '../../schemas/people.js';
import { appRoute, type AppRoute } from './app-route.js';
import { actAsReader, pass } from './read-api.js';

export interface ShareRouteDeps {
  links: ShareLinks;
  sources: SourceRegistry;
  /** The router of the public API. */
  api: RequestHandler;
}

const BODY_BYTES = 4 * 1024;
const MAX_DAYS = 366;

/** What a link lets through: nothing that names an order, a product or a person. The days come from the link alone. */
export const VIEWS: ReadonlyMap<string, (days: string) => string> = new Map([
  ['statement', (days: string) => `/v1/metrics?${days}&include=coverage,statement`],
  ['days', (days: string) => `/v1/metrics/daily?${days}&include=coverage,statement`],
  ['channels', (days: string) => `/v1/attribution?${days}`],
]);

const linkOf = (res: Response): ShareLink => res.locals.share as ShareLink;

/** Links that show figures of some days of a shop to whom they are handed over. */
export const shareRoutes: readonly AppRoute<ShareRouteDeps>[] = [
  appRoute('manager', 'GET /app/api/shops/:shop/share-links', {
    answers: { 200: ShareLinksAnswer },
    run: async ({ shopId }, { links }) => ({ links: (await links.list(shopId)).map(toLink) }),
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/share-links', {
    body: json(shareValidator, BODY_BYTES),
    answers: { 201: FreshShareLink },
    errors: ['invalid_range', 'source_not_registered'],
    async run({ res, shopId, body: { from, to }, session, change }, { links, sources }) {
      const [first, last] = [parseDay(from), parseDay(to)];
      if (first === null || last === null || last < first || last - first >= MAX_DAYS)
        throw requestError('invalid_range', `Days from the first to the last, at most ${MAX_DAYS} of them.`, 'from');
      await sources.require(shopId);
      const days = { shopId, from: formatDay(first), to: formatDay(last) };
      const what = `shared the figures of ${days.from} to ${days.to} by a link`;
      const { link, token } = await change(what, () => links.make(days, session.who));
      res.status(201);
      return { ...toLink(link), token };
    },
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/share-links/:link/end', {
    async run({ req, shopId, change }, { links }) {
      const linkId = String(req.params.link);
      const end = () => links.end(shopId, linkId);
      await change(
        `ended the link ${linkId}`,
        end,
        ({ from, to }) => `ended the link to the figures of ${from} to ${to}`,
      );
    },
  }),
  appRoute('share', 'GET /app/api/share', {
    answers: { 200: SharedView },
    errors: ['source_not_registered'],
    async run({ res }, { sources }) {
      const { shopId, from, to, expiresAt } = linkOf(res);
      const { currency, timezone } = await sources.require(shopId);
      return { shop_id: shopId, currency, timezone, from, to, until: new Date(expiresAt).toISOString() };
    },
  }),
  appRoute('share', 'GET /app/api/share/:view', {
    run({ req, res }, { api }) {
      const { linkId, shopId, from, to } = linkOf(res);
      const view = VIEWS.get(String(req.params.view));
      if (view === undefined) throw requestError('not_found', 'A link shows statement, days and channels.');
      actAsReader(res, { name: `share:${linkId}`, shopId, scopes: ['read'] });
      req.url = view(`from=${from}&to=${to}`);
      return pass(req, res, api);
    },
  }),
];

const toLink = ({ linkId, from, to, madeBy, expiresAt }: ShareLink): AppShareLink => ({
  link_id: linkId,
  from,
  to,
  made_by: madeBy,
  until: new Date(expiresAt).toISOString(),
});
