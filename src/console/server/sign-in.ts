import type { Request, Response, Router } from 'express';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { neighbours } from '../../http/middleware/network.js';
import { readJson } from '../../body/read-json.js';
import { requireValid } from '../../schemas/require-valid.js';
import { signInValidator } from '../../schemas/app.js';
import { refuse, requireCsrfToken, requireSameOrigin, requireSession, sessionOf } from './guard.js';
import type { Sessions } from './session.js';

/** Counts the tries of a network. */
export interface TryLimiter {
  consume(network: string): Promise<RateLimiterRes>;
  delete(network: string): Promise<boolean>;
}

export interface SignInDeps {
  sessions: Sessions;
  tries: TryLimiter;
}

const BODY_BYTES = 4 * 1024;

/** `POST /app/api/sign-in` with the admin token or a printed ticket, `POST /app/api/sign-out`, `GET /app/api/session`. */
export function signInRoutes(router: Router, { sessions, tries }: SignInDeps): void {
  router.post('/app/api/sign-in', requireSameOrigin, async (req, res) => {
    const proof = requireValid(signInValidator, await readJson(req, BODY_BYTES));
    // Others behind the operator's network must not lock the operator out. The limit is for the rest: a token is too long to be guessed.
    const isToken = 'token' in proof && (await sessions.admits(proof));
    // Counted before the check, so that tries sent at once do not pass together.
    if (!isToken && !(await mayTry(tries, req, res))) return;
    if (!isToken && ('token' in proof || !(await sessions.admits(proof)))) {
      const message =
        'ticket' in proof
          ? 'This link was used already, or it is too old. Sign in with the admin token, or ask for a new link.'
          : 'This is not the admin token.';
      refuse(res, 401, 'sign_in_refused', message);
      return;
    }
    await tries.delete(networkOf(req));
    await sessions.start(req, res);
    res.status(204).end();
  });

  const session = requireSession(sessions);
  router.get('/app/api/session', session, (_req, res) => {
    const { csrf, expiresAt } = sessionOf(res);
    res.json({ csrf, expires_at: new Date(expiresAt).toISOString() });
  });

  router.post('/app/api/sign-out', requireSameOrigin, session, requireCsrfToken, async (req, res) => {
    await sessions.end(req, res);
    res.status(204).end();
  });
}

async function mayTry(tries: TryLimiter, req: Request, res: Response): Promise<boolean> {
  try {
    await tries.consume(networkOf(req));
    return true;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    res.setHeader('Retry-After', String(seconds));
    refuse(res, 429, 'too_many_tries', `Too many tries from your network: try again in ${seconds} s.`);
    return false;
  }
}

/** A client that has an address has its neighbours as well, so tries are counted for all of them. */
const networkOf = (req: Request): string => neighbours(req.ip ?? 'unknown');
