import type { RequestHandler, Response } from 'express';
import { isCode } from '../../domain/people.js';
import type { ShareLink } from '../../domain/share-links.js';
import { formatDay, parseDay } from '../../domain/time.js';
import { readJson } from '../../body/read-json.js';
import { requestError } from '../../errors.js';
import { networkOfClient } from '../../http/middleware/network.js';
import type { ShareLinks } from '../../repositories/share-links.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { shareValidator, type AppShareLink, type FreshShareLink, type SharedView } from '../../schemas/people.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { AppRoutes } from './app-routes.js';
import { refuse, sessionOf } from './guard.js';
import { actAsReader } from './read-api.js';
import { shopOf } from './shops.js';
import { takeTry, type TryLimiter } from './tries.js';

export interface ShareRouteDeps {
  links: ShareLinks;
  sources: SourceRegistry;
  /** Of what is too long to be guessed. */
  codeTries: TryLimiter;
}

const BODY_BYTES = 4 * 1024;
const MAX_DAYS = 366;
const PATH = '/app/api/shops/:shop/share-links';

/** What a link lets through: nothing that names an order, a product or a person. The days come from the link alone. */
const VIEWS: ReadonlyMap<string, (days: string) => string> = new Map([
  ['statement', (days: string) => `/v1/metrics?${days}&include=coverage,statement`],
  ['days', (days: string) => `/v1/metrics/daily?${days}&include=coverage,statement`],
  ['channels', (days: string) => `/v1/attribution?${days}`],
]);

const linkOf = (res: Response): ShareLink => res.locals.share as ShareLink;

/** Admits the holder of a link, whose token is in a header: there is no cookie that another site could use. */
export function requireShare({ links, codeTries }: Pick<ShareRouteDeps, 'links' | 'codeTries'>): RequestHandler {
  return async (req, res, next) => {
    // A browser says nothing where the service is not by https: the token, which no other site's page can send, decides.
    if ((req.get('Sec-Fetch-Site') ?? 'same-origin') !== 'same-origin') {
      refuse(res, 403, 'cross_site', 'This request did not come from a page of this service.');
      return;
    }
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('X-Robots-Tag', 'noindex');
    const token = req.get('X-Share-Token') ?? '';
    const link = isCode(token) ? await links.open(token) : null;
    if (link === null) {
      if ((await takeTry(codeTries, networkOfClient(req), { res, of: 'from your network' })) !== null)
        refuse(res, 404, 'link_over', 'This link has ended, or it is not whole: ask for a new one.');
      return;
    }
    res.locals.share = link;
    next();
  };
}

/** Links that show figures of some days of a shop to whom they are handed over. */
export function shareRoutes(routes: AppRoutes, { links, sources }: ShareRouteDeps, api: RequestHandler): void {
  routes.get(PATH, async (req, res) => {
    res.json({ links: (await links.list(shopOf(req))).map(toLink) });
  });

  routes.post(PATH, async (req, res) => {
    const { from, to } = requireValid(shareValidator, await readJson(req, BODY_BYTES));
    const [first, last] = [parseDay(from), parseDay(to)];
    if (first === null || last === null || last < first || last - first >= MAX_DAYS)
      throw requestError('invalid_range', `Days from the first to the last, at most ${MAX_DAYS} of them.`, 'from');
    const shopId = shopOf(req);
    await sources.require(shopId);
    const days = { shopId, from: formatDay(first), to: formatDay(last) };
    const what = `shared the figures of ${days.from} to ${days.to} by a link`;
    const { link, token } = await routes.change(res, { what, shop: shopId }, () =>
      links.make(days, sessionOf(res).who),
    );
    res.status(201).json({ ...toLink(link), token } satisfies FreshShareLink);
  });

  routes.post(`${PATH}/:link/end`, async (req, res) => {
    const linkId = String(req.params.link);
    const of = { what: `ended the link ${linkId}`, shop: shopOf(req) };
    const end = () => links.end(of.shop, linkId);
    await routes.change(res, of, end, ({ from, to }) => `ended the link to the figures of ${from} to ${to}`);
    res.status(204).end();
  });

  routes.get('/app/api/share', async (_req, res) => {
    const { shopId, from, to, expiresAt } = linkOf(res);
    const { currency, timezone } = await sources.require(shopId);
    const until = new Date(expiresAt).toISOString();
    res.json({ shop_id: shopId, currency, timezone, from, to, until } satisfies SharedView);
  });

  routes.get('/app/api/share/:view', (req, res, next) => {
    const { linkId, shopId, from, to } = linkOf(res);
    const view = VIEWS.get(String(req.params.view));
    if (view === undefined) throw requestError('not_found', 'A link shows statement, days and channels.');
    actAsReader(res, { name: `share:${linkId}`, shopId, scopes: ['read'] });
    req.url = view(`from=${from}&to=${to}`);
    return api(req, res, next);
  });
}

const toLink = ({ linkId, from, to, madeBy, expiresAt }: ShareLink): AppShareLink => ({
  link_id: linkId,
  from,
  to,
  made_by: madeBy,
  until: new Date(expiresAt).toISOString(),
});
