import { generateKey, isLive, keyRecord, type KeyRecord, type NewKey } from '../../domain/keys.js';
import { MS_PER_HOUR, parseTimestamp } from '../../domain/time.js';
import { requestError, type RequestError } from '../../errors.js';
import { json } from '../../http/request-bodies.js';
import type { KeyEnd, KeyRegistry, ListedKey } from '../../repositories/keys.js';
import { FreshKey, Key, KeysAnswer, newKeyValidator, rotationValidator } from '../../schemas/app.js';
import { appRoute, type AppCall, type AppRoute } from './app-route.js';

export interface KeyRouteDeps {
  keys: KeyRegistry;
  now: () => number;
}

const BODY_BYTES = 16 * 1024;

async function find(keys: KeyRegistry, { shopId, req }: AppCall): Promise<ListedKey> {
  const record = (await keys.list(shopId)).find(({ keyId }) => keyId === req.params.key);
  if (record === undefined) throw unknownKey();
  return record;
}

/** Ends a key of the shop; the answer shows what holds. */
async function end({ keys, now }: KeyRouteDeps, { keyId, lastUsedAt }: ListedKey, change: KeyEnd): Promise<Key> {
  const record = await keys.end(keyId, change);
  if (record === null) throw unknownKey();
  return toKey({ ...record, lastUsedAt }, now());
}

async function make({ keys, now }: KeyRouteDeps, fields: Omit<NewKey, 'key'>): Promise<FreshKey> {
  const key = generateKey(fields.kind);
  let record: KeyRecord;
  try {
    record = keyRecord({ key, ...fields }, now());
  } catch (error) {
    if (error instanceof RangeError) throw requestError('invalid_value', `${capital(error.message)}.`, 'scopes');
    throw error;
  }
  await keys.save(record);
  return { key, ...toKey({ ...record, lastUsedAt: null }, now()) };
}

/** The keys of a shop: list, make, revoke, rotate. A key itself is in the one answer that makes it and nowhere else. */
export const keyRoutes: readonly AppRoute<KeyRouteDeps>[] = [
  appRoute('manager', 'GET /app/api/shops/:shop/keys', {
    answers: { 200: KeysAnswer },
    run: async ({ shopId }, { keys, now }) => ({
      keys: (await keys.list(shopId)).map((record) => toKey(record, now())),
    }),
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/keys', {
    body: json(newKeyValidator, BODY_BYTES),
    answers: { 201: FreshKey },
    async run({ res, shopId, body: { name, kind, scopes, expires_at }, change }, deps) {
      const micros = expires_at === undefined ? null : parseTimestamp(expires_at);
      const expiresAt = micros === null ? null : Math.floor(micros / 1000);
      if (expiresAt !== null && expiresAt <= deps.now()) {
        throw requestError('invalid_value', 'expires_at must lie in the future.', 'expires_at');
      }
      const fresh = await change(
        `made a ${kind} key`,
        () => make(deps, { shopId, name, kind, expiresAt, ...(scopes && { scopes }) }),
        (made) => `made the ${called(made)}`,
      );
      res.status(201);
      return fresh;
    },
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/keys/:key/revoke', {
    answers: { 200: Key },
    async run(call, deps) {
      const key = await find(deps.keys, call);
      const what = `revoked the ${called(toKey(key, deps.now()))}`;
      return call.change(what, () => end(deps, key, { revokedAt: deps.now() }));
    },
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/keys/:key/rotate', {
    body: json(rotationValidator, BODY_BYTES),
    answers: { 201: FreshKey },
    async run(call, deps) {
      const { now } = deps;
      const old = await find(deps.keys, call);
      if (!isLive(old, now())) throw requestError('invalid_value', 'This key works no more; make a new one instead.');
      const { shopId, name, kind, scopes, lastFour } = old;
      const rotate = async (): Promise<FreshKey> => {
        const made = await make(deps, { shopId, name, kind, scopes, expiresAt: old.expiresAt });
        // The new key is there before the old one gets its end: a failure in between leaves both working.
        const overlapMs = call.body.overlap_hours * MS_PER_HOUR;
        await end(deps, old, { expiresAt: Math.min(old.expiresAt ?? Infinity, now() + overlapMs) });
        return made;
      };
      const line = (made: Key) => `made the ${called(made)}, for one ending ${lastFour}`;
      const fresh = await call.change(`made a ${kind} key for one ending ${lastFour}`, rotate, line);
      call.res.status(201);
      return fresh;
    },
  }),
];

const called = ({ kind, name, last_four }: Key): string =>
  `${kind} key ${name === '' ? '' : `“${name}”, `}ending ${last_four}`;

function unknownKey(): RequestError {
  return requestError('not_found', 'This shop has no such key.');
}

function toKey(record: ListedKey, nowMs: number): Key {
  const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  return {
    key_id: record.keyId,
    name: record.name,
    kind: record.kind,
    scopes: record.scopes,
    prefix: record.prefix,
    last_four: record.lastFour,
    state: record.revokedAt !== null ? 'revoked' : isLive(record, nowMs) ? 'live' : 'expired',
    created_at: time(record.createdAt),
    last_used_at: time(record.lastUsedAt),
    expires_at: time(record.expiresAt),
    revoked_at: time(record.revokedAt),
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
