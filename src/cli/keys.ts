import { generateKey, isShopId, KEY_KINDS, keyRecord, SCOPES, type KeyKind, type Scope } from '../domain/keys.js';
import type { Stores } from '../stores.js';

export interface KeyOptions {
  shop: string;
  kind: string;
  /** Comma-separated; absent means all that the kind may hold. */
  scopes?: string;
  /** RFC 3339 or a day; absent means never. */
  expires?: string;
}

/** Makes a key and gives it; it can't be shown again. Throws a RangeError that says what is wrong with an option. */
export async function createKey(stores: Stores, options: KeyOptions): Promise<string> {
  const kind = kindOf(options.kind);
  const key = generateKey(kind);
  await saveKey(stores, key, kind, options);
  return key;
}

/** Registers a key that exists already, of any spelling. */
export async function importKey(stores: Stores, key: string, options: KeyOptions): Promise<void> {
  if (!/^\S{8,512}$/.test(key)) throw new RangeError('a key has 8 to 512 characters and no spaces');
  await saveKey(stores, key, kindOf(options.kind), options);
}

/** Lines of a table of keys: id, prefix and last four, shop, kind, scopes, created, last used, state. */
export async function listKeys(stores: Stores, shop?: string): Promise<string[]> {
  const now = stores.now();
  const time = (ms: number | null): string => (ms === null ? '-' : new Date(ms).toISOString().slice(0, 19) + 'Z');
  const rows = (await stores.keys.list(shop)).map((key) => [
    key.keyId,
    `${key.prefix}…${key.lastFour}`,
    key.shopId,
    key.kind,
    key.scopes.join(','),
    time(key.createdAt),
    time(key.lastUsedAt),
    key.revokedAt !== null ? `revoked ${time(key.revokedAt)}` : (key.expiresAt ?? Infinity) <= now ? 'expired' : 'live',
  ]);
  const table = [['ID', 'KEY', 'SHOP', 'KIND', 'SCOPES', 'CREATED', 'LAST USED', 'STATE'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length))) ?? [];
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

async function saveKey(
  stores: Stores,
  key: string,
  kind: KeyKind,
  { shop, scopes, expires }: KeyOptions,
): Promise<void> {
  if (!isShopId(shop)) throw new RangeError('a shop id has 1 to 64 letters, digits, dots, dashes and underscores');
  const expiresAt = expires === undefined ? null : Date.parse(expires);
  if (Number.isNaN(expiresAt)) throw new RangeError('--expires must be a day or a time such as 2027-01-31T00:00:00Z');
  await stores.keys.save(
    keyRecord(
      { key, shopId: shop, kind, expiresAt, ...(scopes !== undefined && { scopes: scopesOf(scopes) }) },
      stores.now(),
    ),
  );
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
