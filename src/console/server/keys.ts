import { generateKey, isLive, keyRecord, type KeyRecord, type NewKey } from '../../domain/keys.js';
import { MS_PER_HOUR, parseTimestamp } from '../../domain/time.js';
import { requestError, type RequestError } from '../../errors.js';
import { readJson } from '../../body/read-json.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { KeyEnd, KeyRegistry, ListedKey } from '../../repositories/keys.js';
import { newKeyValidator, rotationValidator, type FreshKey, type Key } from '../../schemas/app.js';
import type { AppRoutes } from './app-routes.js';
import { shopOf } from './shops.js';

export interface KeyRouteDeps {
  keys: KeyRegistry;
  now: () => number;
}

const BODY_BYTES = 16 * 1024;

/** The keys of a shop: list, make, revoke, rotate. A key itself is in the one answer that makes it and nowhere else. */
export function keyRoutes(routes: AppRoutes, { keys, now }: KeyRouteDeps): void {
  const find = async (shopId: string, keyId: string): Promise<ListedKey> => {
    const record = (await keys.list(shopId)).find((candidate) => candidate.keyId === keyId);
    if (record === undefined) throw unknownKey();
    return record;
  };
  /** Ends a key of the shop; the answer shows what holds. */
  const end = async ({ keyId, lastUsedAt }: ListedKey, change: KeyEnd): Promise<Key> => {
    const record = await keys.end(keyId, change);
    if (record === null) throw unknownKey();
    return toKey({ ...record, lastUsedAt }, now());
  };
  const make = async (fields: Omit<NewKey, 'key'>): Promise<FreshKey> => {
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
  };

  routes.get('/app/api/shops/:shop/keys', async (req, res) => {
    res.json({ keys: (await keys.list(shopOf(req))).map((record) => toKey(record, now())) });
  });

  routes.post('/app/api/shops/:shop/keys', async (req, res) => {
    const { name, kind, scopes, expires_at } = requireValid(newKeyValidator, await readJson(req, BODY_BYTES));
    const micros = expires_at === undefined ? null : parseTimestamp(expires_at);
    const expiresAt = micros === null ? null : Math.floor(micros / 1000);
    if (expiresAt !== null && expiresAt <= now()) {
      throw requestError('invalid_value', 'expires_at must lie in the future.', 'expires_at');
    }
    const of = { what: `made a ${kind} key`, shop: shopOf(req) };
    const fresh = await routes.change(
      res,
      of,
      () => make({ shopId: of.shop, name, kind, expiresAt, ...(scopes && { scopes }) }),
      (made) => `made the ${called(made)}`,
    );
    res.status(201).json(fresh);
  });

  routes.post('/app/api/shops/:shop/keys/:key/revoke', async (req, res) => {
    const key = await find(shopOf(req), String(req.params.key));
    const of = { what: `revoked the ${called(toKey(key, now()))}`, shop: key.shopId };
    res.json(await routes.change(res, of, () => end(key, { revokedAt: now() })));
  });

  routes.post('/app/api/shops/:shop/keys/:key/rotate', async (req, res) => {
    const { overlap_hours } = requireValid(rotationValidator, await readJson(req, BODY_BYTES));
    const old = await find(shopOf(req), String(req.params.key));
    if (!isLive(old, now())) throw requestError('invalid_value', 'This key works no more; make a new one instead.');
    const { shopId, name, kind, scopes } = old;
    const rotate = async (): Promise<FreshKey> => {
      const made = await make({ shopId, name, kind, scopes, expiresAt: old.expiresAt });
      // The new key is there before the old one gets its end: a failure in between leaves both working.
      await end(old, { expiresAt: Math.min(old.expiresAt ?? Infinity, now() + overlap_hours * MS_PER_HOUR) });
      return made;
    };
    const of = { what: `made a ${kind} key for one ending ${old.lastFour}`, shop: shopId };
    const fresh = await routes.change(
      res,
      of,
      rotate,
      (made) => `made the ${called(made)}, for one ending ${old.lastFour}`,
    );
    res.status(201).json(fresh);
  });
}

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
