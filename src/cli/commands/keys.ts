import {
  generateKey,
  isShopId,
  isKeyName,
  KEY_KINDS,
  KEY_NAME_LENGTH,
  keyRecord,
  SCOPES,
  type KeyKind,
  type KeyRecord,
  type Scope,
} from '../../domain/keys.js';
import { MICROS_PER_DAY, parseDay, parseTimestamp } from '../../domain/time.js';
import { echo } from '../../errors.js';
import type { Stores } from '../../composition/stores.js';

export interface KeyOptions {
  shop: string;
  kind: string;
  /** What people call it. */
  name?: string;
  /** Comma-separated; absent means all that the kind may hold. */
  scopes?: string;
  /** RFC 3339 or a day; absent means never. */
  expires?: string;
}

/** Makes a key and gives it; it can't be shown again. Throws a RangeError that says what is wrong with an option. */
export async function createKey(stores: Stores, options: KeyOptions): Promise<string> {
  const kind = kindOf(options.kind);
  const key = generateKey(kind);
  await stores.keys.save(recordOf(stores, key, kind, options));
  return key;
}

/**
 * Registers a key that exists already, of any spelling; one that the shop has already gets these options. Throws when the key
 * was revoked or belongs to another shop.
 */
export async function importKey(stores: Stores, key: string, options: KeyOptions): Promise<void> {
  if (!/^\S{8,512}$/.test(key)) throw new RangeError('a key has 8 to 512 characters and no spaces');
  await stores.keys.save(recordOf(stores, key, kindOf(options.kind), options));
}

/** Lines of a table of keys: id, name, prefix and last four, shop, kind, scopes, created, last used, state. */
export async function listKeys(stores: Stores, shop?: string): Promise<string[]> {
  const now = stores.now();
  const time = (ms: number | null): string => (ms === null ? '-' : new Date(ms).toISOString().slice(0, 19) + 'Z');
  const rows = (await stores.keys.list(shop)).map((key) => [
    key.keyId,
    key.name === '' ? '-' : key.name,
    `${key.prefix}…${key.lastFour}`,
    key.shopId,
    key.kind,
    key.scopes.join(','),
    time(key.createdAt),
    time(key.lastUsedAt),
    key.revokedAt !== null ? `revoked ${time(key.revokedAt)}` : (key.expiresAt ?? Infinity) <= now ? 'expired' : 'live',
  ]);
  const table = [['ID', 'NAME', 'KEY', 'SHOP', 'KIND', 'SCOPES', 'CREATED', 'LAST USED', 'STATE'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length))) ?? [];
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function recordOf({ now }: Stores, key: string, kind: KeyKind, { shop, name, scopes, expires }: KeyOptions): KeyRecord {
  if (!isShopId(shop)) throw new RangeError('a shop id has 1 to 64 letters, digits, dots, dashes and underscores');
  if (name !== undefined && !isKeyName(name)) {
    throw new RangeError(`--name must have 1 to ${KEY_NAME_LENGTH} characters, and no control characters`);
  }
  const expiresAt = expires === undefined ? null : expiryOf(expires, now());
  return keyRecord(
    { key, shopId: shop, name, kind, expiresAt, ...(scopes !== undefined && { scopes: scopesOf(scopes) }) },
    now(),
  );
}

/** The instant that an option names; a day means its end in UTC, so that the key works on that day. */
function expiryOf(text: string, nowMs: number): number {
  const day = parseDay(text);
  const micros = day === null ? parseTimestamp(text) : (day + 1) * MICROS_PER_DAY;
  if (micros === null) {
    throw new RangeError('--expires must be a day such as 2030-01-31 or a time such as 2030-01-31T00:00:00Z');
  }
  const expiresAt = Math.floor(micros / 1000);
  if (expiresAt <= nowMs) {
    const now = new Date(nowMs).toISOString().slice(0, 19);
    throw new RangeError(`--expires must lie in the future; "${echo(text)}" is over (it is ${now}Z now)`);
  }
  return expiresAt;
}

function kindOf(text: string): KeyKind {
  const kind = KEY_KINDS.find((candidate) => candidate === text);
  if (kind === undefined) throw new RangeError(`--kind must be one of ${KEY_KINDS.join(', ')}`);
  return kind;
}

function scopesOf(text: string): Scope[] {
  return text.split(',').map((part) => {
    const scope = SCOPES.find((candidate) => candidate === part.trim());
    if (scope === undefined) throw new RangeError(`"${part}" is no scope; the scopes are ${SCOPES.join(', ')}`);
    return scope;
  });
}
