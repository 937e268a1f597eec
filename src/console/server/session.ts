import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Who } from '../../domain/people.js';
import { networkOfClient } from '../../http/middleware/network.js';
import type { SessionState, StoredSession } from '../../redis/sessions.js';
import { ticketLifetime } from './ticket.js';

/** A session that is not used for so long is over. */
const IDLE_MS = 12 * 60 * 60 * 1000;
const LONGEST_MS = 30 * 24 * 60 * 60 * 1000;
/** A session that was renewed just now is not written again. */
const RENEW_MS = 60_000;

export interface Session {
  /** Names the session without giving it away. */
  id: string;
  /** Sent along by the pages with everything that changes something. */
  csrf: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  who: Who;
}

/** Everything here throws `store_unavailable` while the store of the sessions is away. */
export interface Sessions {
  /** Checks the admin token itself, or a printed ticket. True once for a ticket. */
  admits(proof: { token: string } | { ticket: string }): Promise<boolean>;
  /** Whether somebody signed in from this network lately. */
  isKnown(network: string): Promise<boolean>;
  /** Starts a session and sets its cookie; one that the request has ends. */
  start(req: Request, res: Response, who: Who): Promise<void>;
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
  const lifetime = ({ beganAt, seenAt }: StoredSession): number =>
    Math.min(seenAt + IDLE_MS, beganAt + LONGEST_MS) - now();
  const end = async (req: Request): Promise<void> => {
    const secret = readCookie(req);
    const session = secret === null ? null : await state.get(derive('session', secret));
    if (secret !== null && session !== null) await state.remove(derive('session', secret), session.personId);
  };

  return {
    async admits(proof) {
      if ('token' in proof) return sameText(proof.token, adminToken);
      const left = ticketLifetime(adminToken, proof.ticket, now());
      return left !== null && (await state.useTicket(derive('ticket', proof.ticket), left));
    },
    isKnown: (network) => state.isNetwork(derive('network', network)),
    async start(req, res, { personId, name, role, shops }) {
      await end(req);
      const secret = randomBytes(32).toString('base64url');
      const id = derive('session id', secret).slice(0, 16);
      const session = { id, personId, name, role, shops, beganAt: now(), seenAt: now() };
      await state.put(derive('session', secret), session, IDLE_MS);
      await state.noteNetwork(derive('network', networkOfClient(req)), LONGEST_MS).catch(() => undefined);
      res.cookie(cookieName(req), secret, { ...cookieOptions(req), maxAge: LONGEST_MS });
    },
    async find(req) {
      const secret = readCookie(req);
      const session = secret === null ? null : await state.get(derive('session', secret));
      if (secret === null || session === null || lifetime(session) <= 0) return null;
      const seen = { ...session, seenAt: now() };
      if (seen.seenAt - session.seenAt > RENEW_MS) await state.renew(derive('session', secret), seen, lifetime(seen));
      return { id: session.id, csrf: derive('csrf', secret), expiresAt: now() + lifetime(seen), who: session };
    },
    async end(req, res) {
      await end(req);
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
