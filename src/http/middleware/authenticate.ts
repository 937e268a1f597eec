import type { Request, RequestHandler, Response } from 'express';
import type { Sender } from '../../domain/ingest.js';
import { isLive, type KeyRecord, type Scope } from '../../domain/keys.js';
import { requestError, type RequestError } from '../../errors.js';
import { requestIdIn, startedAtIn, traceIdIn } from './request-id.js';
import type { AdmitLookUp, KeyRegistry } from '../../repositories/keys.js';

/** The key that a request was made with, as {@link authenticate} found it. */
export function authOf(res: Response): KeyRecord {
  return res.locals.key as KeyRecord;
}

/** Who sent a push that {@link authenticate} admitted. */
export function senderOf(res: Response): Sender {
  const { shopId, lastFour } = authOf(res);
  return {
    shopId,
    keyLast4: lastFour,
    requestId: requestIdIn(res),
    traceId: traceIdIn(res),
    startedAt: startedAtIn(res),
  };
}

/** Runs a change for whom it is made; `isDone` tells whether the answer says that anything was changed. */
export type AroundChange = <T>(work: () => Promise<T>, isDone: (answer: T) => boolean) => Promise<T>;

/** Lets an authenticated caller, such as a session of the app, use the API with the scopes of a record. */
export function actAs(res: Response, record: KeyRecord, around?: AroundChange): void {
  Object.assign(res.locals, { actingAs: record, around });
}

/** What a change of this request runs in; undefined: nothing. */
export const aroundChangeOf = (res: Response): AroundChange | undefined =>
  res.locals.around as AroundChange | undefined;

export function bearerToken(req: Request): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '');
  return match?.[1] ?? null;
}

export function unauthorized(message = 'Send a valid API key: Authorization: Bearer <API_KEY>.'): RequestError {
  return requestError('unauthorized', message);
}

/** Finds the live key of a request; throws `unauthorized`. */
export async function requireKey(
  keys: KeyRegistry,
  token: string | null,
  nowMs: number,
  admit?: AdmitLookUp,
): Promise<KeyRecord> {
  if (token === null) throw unauthorized();
  const record = await keys.find(token, admit);
  if (record === null) throw unauthorized('This API key is not known.');
  if (!isLive(record, nowMs)) throw unauthorized('This API key was revoked or has expired.');
  return record;
}

export interface AuthenticateDeps {
  keys: KeyRegistry;
  now: () => number;
  /** Counts the unknown keys of a sender. */
  limitUnknown: (req: Request, res: Response) => AdmitLookUp;
}

/** Admits requests whose key holds the scope; the message of a refusal names what is needed. */
export function authenticate(scope: Scope | 'secret', { keys, now, limitUnknown }: AuthenticateDeps): RequestHandler {
  return async (req, res, next) => {
    const acting = res.locals.actingAs as KeyRecord | undefined;
    const record = acting ?? (await requireKey(keys, bearerToken(req), now(), limitUnknown(req, res)));
    requireScope(record, scope);
    res.locals.key = record;
    next();
  };
}

/** Throws `forbidden_scope`, naming what is needed, unless the key holds the scope. */
export function requireScope(record: KeyRecord, scope: Scope | 'secret'): void {
  if (!holds(record, scope)) throw forbidden(record, scope);
}

function holds(record: KeyRecord, scope: Scope | 'secret'): boolean {
  return scope === 'secret' ? record.kind === 'secret' : record.scopes.includes(scope);
}

function forbidden(record: KeyRecord, scope: Scope | 'secret'): RequestError {
  const needed =
    scope === 'secret'
      ? 'a secret key'
      : scope === 'read'
        ? 'a key with scope read'
        : scope === 'collect'
          ? 'a pixel token'
          : `a secret key with scope ${scope}`;
  return requestError('forbidden_scope', `This request needs ${needed}; yours is a ${powersOf(record)}.`);
}

function powersOf({ kind, scopes }: KeyRecord): string {
  switch (kind) {
    case 'pixel':
      return 'pixel token, which only collects events';
    case 'publishable':
      return 'publishable key, which only reads';
    case 'secret':
      return `secret key with scope ${scopes.join(', ')}`;
  }
}
