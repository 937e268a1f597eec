import type { Request, Response, Router } from 'express';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { readJson } from '../../http/middleware/read-json.js';
import { requireValid } from '../../schemas/require-valid.js';
import { signInValidator } from '../../schemas/app.js';
import { refuse, requireCsrfToken, requireSameOrigin, requireSession, sessionOf } from './guard.js';
import type { Sessions } from './session.js';

/** Counts the tries of a client address. */
export interface TryLimiter {
  consume(address: string): Promise<RateLimiterRes>;
  delete(address: string): Promise<boolean>;
}

export interface SignInDeps {
  sessions: Sessions;
  tries: TryLimiter;
}

const BODY_BYTES = 4 * 1024;

/** `POST /app/api/sign-in` with the admin token or a printed ticket, `POST /app/api/sign-out`, `GET /app/api/session`. */
export function signInRoutes(router: Router, { sessions, tries }: SignInDeps): void {
  router.post('/app/api/sign-in', requireSameOrigin, async (req, res) => {
    // Counted before the check, so that tries sent at once do not pass together.
    if (!(await mayTry(tries, req, res))) return;
    const proof = requireValid(signInValidator, await readJson(req, BODY_BYTES));
    if (!(await sessions.admits(proof))) {
      const message =
        'ticket' in proof
          ? 'This link was used already, or it is too old. Sign in with the admin token, or ask for a new link.'
          : 'This is not the admin token.';
      refuse(res, 401, 'sign_in_refused', message);
      return;
    }
    await tries.delete(addressOf(req));
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
    await tries.consume(addressOf(req));
    return true;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    res.setHeader('Retry-After', String(seconds));
    refuse(res, 429, 'too_many_tries', `Too many tries from your address: try again in ${seconds} s.`);
    return false;
  }
}

function addressOf(req: Request): string {
  return req.ip ?? 'unknown';
}
