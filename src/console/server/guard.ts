import type { Request, RequestHandler } from 'express';
import { isCode, maySee } from '../../domain/people.js';
import { isAtLeast, type Role } from '../../domain/roles.js';
import type { AnyErrorCode } from '../../error-catalogue.js';
import { requestError } from '../../errors.js';
import { networkOfClient } from '../../http/middleware/network.js';
import type { Method } from '../../http/openapi/operation.js';
import type { ShareLinks } from '../../repositories/share-links.js';
import { sameText, type Session, type Sessions } from './session.js';
import { OF_NETWORK, takeTry, type TryLimiter } from './tries.js';

/**
 * Who may use a route: the least role, `anyone` without a session, or the holder of a share link. Where a path names a shop, it must be
 * one of the person's.
 */
export type Access = Role | 'anyone' | 'share';

export interface GuardDeps {
  sessions: Sessions;
  links: ShareLinks;
  /** Of what is too long to be guessed. */
  codeTries: TryLimiter;
}

/** Codes of {@link guardsOf}, and those that any request may meet. */
export function guardErrors(role: Access, method: Method, path: string): AnyErrorCode[] {
  const codes: AnyErrorCode[] = ['sign_in_off', 'store_unavailable', 'internal'];
  const isRead = method === 'get';
  if (path.includes(':')) codes.push('not_found');
  if (!isRead || role === 'share') codes.push('cross_site');
  if (role === 'anyone') return codes;
  if (role === 'share') return [...codes, 'link_over', 'too_many_tries'];
  if (!isRead) codes.push('csrf_token');
  if (role !== 'viewer') codes.push('role');
  return [...codes, 'signed_out'];
}

/** What admits requests to a route: who may use it, and for a change that it comes from a page of the app. */
export function guardsOf(role: Access, method: Method, deps: GuardDeps): RequestHandler[] {
  const isRead = method === 'get';
  const origin = isRead ? [] : [requireSameOrigin];
  if (role === 'anyone') return origin;
  if (role === 'share') return [...origin, requireShare(deps)];
  const requirePerson: RequestHandler = async (req, res, next) => {
    const session = await deps.sessions.find(req);
    if (session === null)
      throw requestError('signed_out', 'You are not signed in, or your session is over: sign in again.');
    res.locals.session = session;
    if (!isRead) requireCsrfToken(req, session);
    const { shop } = req.params;
    // The same for a shop that is not the person's and for one that does not exist.
    if (shop !== undefined && !maySee(session.who, String(shop)))
      throw requestError('not_found', 'There is no such shop.');
    if (!isAtLeast(session.who.role, role))
      throw requestError('role', `This needs the role ${role}; yours is ${session.who.role}.`);
    next();
  };
  return [...origin, requirePerson];
}

/**
 * Refuses what another site's page made the browser send. A browser says where a request comes from: in `Sec-Fetch-Site`,
 * older ones in `Origin`; a request that says neither was not sent by one of the app's pages.
 */
const requireSameOrigin: RequestHandler = (req, _res, next) => {
  if (!isSameOrigin(req)) throw requestError('cross_site', 'This request did not come from a page of this service.');
  next();
};

function isSameOrigin(req: Request): boolean {
  const site = req.headers['sec-fetch-site'];
  const { origin } = req.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site !== undefined;
  return URL.canParse(origin) && new URL(origin).host === req.headers.host;
}

/** Refuses a change that does not carry the token of its session. */
function requireCsrfToken(req: Request, { csrf }: Session): void {
  if (!sameText(req.get('X-CSRF-Token') ?? '', csrf))
    throw requestError('csrf_token', 'This request lacks the token of your session: load the page again.');
}

/** Admits the holder of a link, whose token is in a header: there is no cookie that another site could use. */
function requireShare({ links, codeTries }: GuardDeps): RequestHandler {
  return async (req, res, next) => {
    // A browser says nothing where the service is not by https: the token, which no other site's page can send, decides.
    if ((req.get('Sec-Fetch-Site') ?? 'same-origin') !== 'same-origin')
      throw requestError('cross_site', 'This request did not come from a page of this service.');
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('X-Robots-Tag', 'noindex');
    const token = req.get('X-Share-Token') ?? '';
    const link = isCode(token) ? await links.open(token) : null;
    if (link === null) {
      await takeTry(codeTries, networkOfClient(req), OF_NETWORK);
      throw requestError('link_over', 'This link has ended, or it is not whole: ask for a new one.');
    }
    res.locals.share = link;
    next();
  };
}
