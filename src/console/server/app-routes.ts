import type { RequestHandler, Response, Router } from 'express';
import type { AccessLog, Change } from '../../domain/access-log.js';
import { maySee } from '../../domain/people.js';
import { isAtLeast, type Role } from '../../domain/roles.js';
import { requestError } from '../../errors.js';
import { refuse, requireCsrfToken, requireSameOrigin, requireSession, sessionOf } from './guard.js';
import { RULES } from './rules.js';
import type { Sessions } from './session.js';

type Define = (path: string, handler: RequestHandler) => void;

/** The routes of the app. Each gets the guards of its rule, and what changes something those against other sites. */
export interface AppRoutes extends Record<'get' | 'post' | 'put' | 'patch' | 'delete', Define> {
  /** Writes into the log what the person of the session did, where that changes nothing that is stored. */
  note(res: Response, what: string, shop?: string): Promise<void>;
  /** Runs a change of the person of the session, which is in the log whatever happens to the request ({@link AccessLog.change}). */
  change<T>(
    res: Response,
    of: Omit<Change, 'who'>,
    work: () => Promise<T>,
    done?: (result: T) => string | null,
  ): Promise<T>;
}

export interface AppRouteDeps {
  sessions: Sessions;
  log: AccessLog;
  share: RequestHandler;
}

export function createAppRoutes(router: Router, { sessions, log, share }: AppRouteDeps): AppRoutes {
  const session = requireSession(sessions);
  const guards = (method: string, path: string): RequestHandler[] => {
    const rule = RULES[`${method.toUpperCase()} ${path}`];
    if (rule === undefined) throw new RangeError(`${method} ${path} has no rule who may use it`);
    const origin = method === 'get' ? [] : [requireSameOrigin];
    if (rule === 'anyone') return origin;
    if (rule === 'share') return [...origin, share];
    return [...origin, session, ...(method === 'get' ? [] : [requireCsrfToken]), requireShop, requireRole(rule)];
  };
  const define =
    (method: 'get' | 'post' | 'put' | 'patch' | 'delete'): Define =>
    (path, handler) => {
      router[method](path, ...guards(method, path), handler);
    };
  return {
    get: define('get'),
    post: define('post'),
    put: define('put'),
    patch: define('patch'),
    delete: define('delete'),
    note: (res, what, shop) => log.note(sessionOf(res).who, what, shop),
    change: (res, of, work, done) => log.change({ ...of, who: sessionOf(res).who }, work, done),
  };
}

/** Answers the same for a shop that is not the person's and for one that does not exist. */
const requireShop: RequestHandler = (req, res, next) => {
  const { shop } = req.params;
  if (shop !== undefined && !maySee(sessionOf(res).who, String(shop)))
    throw requestError('not_found', 'There is no such shop.');
  next();
};

const requireRole =
  (needed: Role): RequestHandler =>
  (_req, res, next) => {
    const { role } = sessionOf(res).who;
    if (isAtLeast(role, needed)) next();
    else refuse(res, 403, 'role', `This needs the role ${needed}; yours is ${role}.`);
  };
