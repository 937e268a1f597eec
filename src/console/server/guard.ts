import type { Request, RequestHandler, Response } from 'express';
import { sameText, type Session, type Sessions } from './session.js';

/** The session that {@link requireSession} found. */
export function sessionOf(res: Response): Session {
  return res.locals.session as Session;
}

/** Answers in the error form of the API; the codes are the app's own. */
export function refuse(res: Response, status: number, code: string, message: string): void {
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
  res.status(status).json({ errors: [{ code, message }], request_id: String(res.locals.requestId) });
}

/** Admits people who are signed in, and the operator. */
export function requireSession(sessions: Sessions): RequestHandler {
  return async (req, res, next) => {
    const session = await sessions.find(req);
    if (session === null) {
      refuse(res, 401, 'signed_out', 'You are not signed in, or your session is over: sign in again.');
      return;
    }
    res.locals.session = session;
    next();
  };
}

/**
 * Refuses what another site's page made the browser send. A browser says where a request comes from: in `Sec-Fetch-Site`,
 * older ones in `Origin`; a request that says neither was not sent by one of the app's pages.
 */
export const requireSameOrigin: RequestHandler = (req, res, next) => {
  if (isSameOrigin(req)) {
    next();
    return;
  }
  refuse(res, 403, 'cross_site', 'This request did not come from a page of this service.');
};

function isSameOrigin(req: Request): boolean {
  const site = req.headers['sec-fetch-site'];
  const { origin } = req.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site !== undefined;
  return URL.canParse(origin) && new URL(origin).host === req.headers.host;
}

/** Refuses a change that does not carry the token of its session; comes after {@link requireSession}. */
export const requireCsrfToken: RequestHandler = (req, res, next) => {
  if (sameText(req.get('X-CSRF-Token') ?? '', sessionOf(res).csrf)) {
    next();
    return;
  }
  refuse(res, 403, 'csrf_token', 'This request lacks the token of your session: load the page again.');
};
