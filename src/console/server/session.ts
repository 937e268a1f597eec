import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { SessionState } from '../../redis/sessions.js';
import { ticketLifetime } from './ticket.js';

const SESSION_TTL_MS = 12 * 60 * 60 * 1000;

/** A signed-in operator. */
export interface Session {
  /** Names the session without giving it away. */
  id: string;
  /** Sent along by the pages with everything that changes something. */
  csrf: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Everything here throws `store_unavailable` while the store of the sessions is away. */
export interface Sessions {
  /** Checks the admin token itself, or a printed ticket. True once for a ticket. */
  admits(proof: { token: string } | { ticket: string }): Promise<boolean>;
  /** Starts a session and sets its cookie. */
  start(req: Request, res: Response): Promise<Session>;
  /** The session of a request; null when it has none that lives. */
  find(req: Request): Promise<Session | null>;
  /** Ends the session of a request, if any, and takes its cookie back. */
  end(req: Request, res: Response): Promise<void>;
}

export interface SessionDeps {
  state: SessionState;
  adminToken: string;
  now: () => number;
}

export function createSessions({ state, adminToken, now }: SessionDeps): Sessions {
  // Keyed with the admin token: another token ends every session.
  const derive = (purpose: string, secret: string): string =>
    createHmac('sha256', adminToken).update(`${purpose} ${secret}`).digest('base64url');
  const session = (secret: string, lifetimeMs: number): Session => ({
    id: derive('session id', secret).slice(0, 16),
    csrf: derive('csrf', secret),
    expiresAt: now() + lifetimeMs,
  });

  return {
    async admits(proof) {
      if ('token' in proof) return sameText(proof.token, adminToken);
      const left = ticketLifetime(adminToken, proof.ticket, now());
      return left !== null && (await state.useTicket(derive('ticket', proof.ticket), left));
    },
    async start(req, res) {
      const secret = randomBytes(32).toString('base64url');
      await state.put(derive('session', secret), SESSION_TTL_MS);
      res.cookie(cookieName(req), secret, { ...cookieOptions(req), maxAge: SESSION_TTL_MS });
      return session(secret, SESSION_TTL_MS);
    },
    async find(req) {
      const secret = readCookie(req);
      const left = secret === null ? null : await state.lifetime(derive('session', secret));
      return secret === null || left === null ? null : session(secret, left);
    },
    async end(req, res) {
      const secret = readCookie(req);
      if (secret !== null) await state.remove(derive('session', secret));
      res.clearCookie(cookieName(req), cookieOptions(req));
    },
  };
}

/** Compares in a time that tells nothing of where two texts differ, nor of how long they are. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

function cookieOptions(req: Request) {
  return { httpOnly: true, sameSite: 'strict', secure: req.secure, path: '/' } as const;
}

/** Cookies know no ports, so the name holds it: several copies of the service on one host keep their sessions apart. */
function cookieName(req: Request): string {
  const port = /:(\d+)$/.exec(req.headers.host ?? '')?.[1];
  const name = port === undefined ? 'profit_session' : `profit_session_${port}`;
  return req.secure ? `__Host-${name}` : name;
}

function readCookie(req: Request): string | null {
  const prefix = `${cookieName(req)}=`;
  const pair = (req.headers.cookie ?? '').split(/; */).find((part) => part.startsWith(prefix));
  const value = pair?.slice(prefix.length) ?? '';
  return /^[\w-]{43}$/.test(value) ? value : null;
}
