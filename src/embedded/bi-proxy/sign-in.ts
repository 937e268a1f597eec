import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { readBiUsers, type Account } from '../engines/bi-users.js';
import { PASSWORD_REQUIRED, TOO_MANY_SIGN_INS, USER_CLOSED, signInRefused, type Refusal } from './refusal.js';

export interface Credentials {
  user: string;
  password: string;
}

/** Refused sign-ins per address and minute that get a full answer. */
const REFUSALS_TOLD = 10;

/** The user and password of a request. Undefined if there are none, if they are in more than one place, or for another scheme. */
export function credentialsOf(headers: IncomingHttpHeaders, params: URLSearchParams): Credentials | undefined {
  const found: Credentials[] = [];
  const one = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');
  const { authorization } = headers;
  // The page /play sends this when user and password are parameters.
  if (authorization !== undefined && authorization !== 'never') {
    const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
    if (encoded === undefined) return undefined;
    const text = Buffer.from(encoded, 'base64').toString();
    const colon = text.indexOf(':');
    if (colon < 0) return undefined;
    found.push({ user: text.slice(0, colon), password: text.slice(colon + 1) });
  }
  const header = headers['x-clickhouse-user'];
  if (header !== undefined) found.push({ user: one(header), password: one(headers['x-clickhouse-key']) });
  if (params.has('user')) found.push({ user: params.get('user') ?? '', password: params.get('password') ?? '' });
  return found.length === 1 ? found[0] : undefined;
}

/** Resolves to the refusal of a request, or to the account at the engine where the password is the user's. */
export type SignIn = (credentials: Credentials | undefined, address: string) => Promise<Refusal | Account>;

/**
 * Checks passwords against the users in the data folder, so that the engine gets no wrong one. A right password always works. After some
 * wrong ones an address gets a short answer.
 */
export function createSignIn(dataDir: string, onRefused: (user: string) => void): SignIn {
  const refused = new RateLimiterMemory({ points: REFUSALS_TOLD, duration: 60 });
  return async (credentials, address) => {
    if (credentials === undefined) return PASSWORD_REQUIRED;
    const known = (await readBiUsers(dataDir)).find(({ name }) => name === credentials.user);
    const given = hash('sha256', credentials.password, 'buffer');
    if (known !== undefined && timingSafeEqual(given, Buffer.from(known.passwordSha256, 'hex')))
      return known.closed === true ? USER_CLOSED : known.account;
    const user = credentials.user.slice(0, 64);
    return refused.consume(address).then(
      () => {
        onRefused(user);
        return signInRefused(user);
      },
      () => TOO_MANY_SIGN_INS,
    );
  };
}
