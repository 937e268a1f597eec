import { hash, randomBytes } from 'node:crypto';

export const KEY_KINDS = ['publishable', 'secret', 'pixel'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const SCOPES = ['read', 'orders:write', 'costs:write', 'products:write', 'collect'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that a kind may hold (specification: "Authentication"). A publishable key never writes. */
const SCOPES_OF_KIND: Record<KeyKind, readonly Scope[]> = {
  publishable: ['read'],
  secret: ['read', 'orders:write', 'costs:write', 'products:write'],
  pixel: ['collect'],
};

const PREFIX: Record<KeyKind, string> = { publishable: 'pk_svc_', secret: 'sk_svc_', pixel: 'pt_svc_' };

/** The stored record of a key, without the key itself. Times are milliseconds since 1970. */
export interface KeyRecord {
  /** SHA-256 of the whole key, lower-case hex. */
  keyHash: string;
  keyId: string;
  shopId: string;
  /** What people call it; may be empty. */
  name: string;
  kind: KeyKind;
  scopes: Scope[];
  prefix: string;
  lastFour: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
}

/** A new key: prefix and 64 lower-case hex digits from 32 random bytes. */
export function generateKey(kind: KeyKind): string {
  return PREFIX[kind] + randomBytes(32).toString('hex');
}

export function hashKey(key: string): string {
  return hash('sha256', key);
}

export interface NewKey {
  key: string;
  shopId: string;
  name?: string | undefined;
  kind: KeyKind;
  /** Absent: all that the kind may hold. */
  scopes?: readonly Scope[];
  expiresAt?: number | null;
}

/** The record of a key. Throws a RangeError that names what a kind may not hold. */
export function keyRecord(
  { key, shopId, name = '', kind, scopes, expiresAt = null }: NewKey,
  nowMs: number,
): KeyRecord {
  const allowed = SCOPES_OF_KIND[kind];
  const wrong = scopes?.filter((scope) => !allowed.includes(scope)) ?? [];
  if (wrong.length > 0) {
    throw new RangeError(`a ${kind} key can't hold ${wrong.join(', ')}; it may hold ${allowed.join(', ')}`);
  }
  const underscore = key.lastIndexOf('_') + 1;
  return {
    keyHash: hashKey(key),
    keyId: hashKey(`id:${key}`).slice(0, 16),
    shopId,
    name: name.trim(),
    kind,
    scopes: scopes === undefined || scopes.length === 0 ? [...allowed] : [...new Set(scopes)],
    prefix: key.slice(0, Math.min(underscore, 12)),
    lastFour: key.slice(-4),
    createdAt: nowMs,
    expiresAt,
    revokedAt: null,
  };
}

/** True while the key may be used. */
export function isLive(record: KeyRecord, nowMs: number): boolean {
  return (
    (record.revokedAt === null || record.revokedAt > nowMs) && (record.expiresAt === null || record.expiresAt > nowMs)
  );
}

/** A record, and the stamp of the write that brought it: of two records of a key the one with the larger stamp holds. */
export interface StoredKey {
  record: KeyRecord;
  version: number;
}

/** Longest name of a key. */
export const KEY_NAME_LENGTH = 100;

/** Whether a text may be the name of a key. */
export function isKeyName(text: string): boolean {
  return text.trim() !== '' && text.length <= KEY_NAME_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** A shop id: 1-64 characters that are safe in keys, paths and SQL. */
export function isShopId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(text);
}
