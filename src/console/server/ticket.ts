import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a printed sign-in link can be used. */
export const TICKET_TTL_MS = 60 * 60 * 1000;

/**
 * A ticket that signs in once in place of the admin token: `expiry.nonce.signature`, the expiry in milliseconds since 1970
 * written in base 36. It tells nothing of the token. The caller makes sure that it is accepted once.
 */
export function createTicket(adminToken: string, nowMs: number): string {
  const body = `${(nowMs + TICKET_TTL_MS).toString(36)}.${randomBytes(16).toString('base64url')}`;
  return `${body}.${sign(adminToken, body)}`;
}

/** Milliseconds for which a ticket can still be used; null when it is forged or over. */
export function ticketLifetime(adminToken: string, ticket: string, nowMs: number): number | null {
  const dot = ticket.lastIndexOf('.');
  if (!/^[0-9a-z]{1,11}\.[\w-]{22}\.[\w-]{43}$/.test(ticket)) return null;
  const body = ticket.slice(0, dot);
  if (!timingSafeEqual(Buffer.from(ticket.slice(dot + 1)), Buffer.from(sign(adminToken, body)))) return null;
  const left = parseInt(body, 36) - nowMs;
  return left > 0 ? left : null;
}

/** The address that the terminal prints; it leads to a page of the app. The ticket is in the fragment, which no server and no log ever sees. */
export function signInLink(url: string, adminToken: string, nowMs: number, page = '/'): string {
  const next = page === '/' ? '' : `?next=${encodeURIComponent(page)}`;
  return `${url}/signin${next}#ticket=${createTicket(adminToken, nowMs)}`;
}

function sign(adminToken: string, body: string): string {
  return createHmac('sha256', adminToken).update(`sign-in ticket ${body}`).digest('base64url');
}
