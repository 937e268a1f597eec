import { Type } from 'typebox';
import type { KeyKind, KeyRecord, Scope, StoredKey } from '../../domain/keys.js';
import type { Warehouse } from '../client.js';
import { dateTimeText, nullableDateTimeText } from '../columns/date-time.js';
import { defineQuery, nullable, textOf, texts, type RowOf } from '../query.js';

const KEYS = defineQuery('keys', {
  ...texts('key_hash', 'key_id', 'shop_id', 'name'),
  kind: textOf<KeyKind>(),
  scopes: Type.Array(textOf<Scope>()),
  ...texts('prefix', 'last_four', 'created_ms'),
  expires_ms: nullable(Type.String()),
  revoked_ms: nullable(Type.String()),
  version: Type.String(),
});

export interface KeyStore {
  /** The keys of these hashes, as many as there are; all hashes are of one shard. */
  find(hashes: readonly string[]): Promise<StoredKey[]>;
  /** By key id. */
  findById(keyId: string): Promise<KeyRecord | null>;
  /** All keys, revoked ones too, newest first; of one shop when it is given. */
  list(shopId?: string): Promise<KeyRecord[]>;
  write(record: KeyRecord, version: number): Promise<void>;
}

/** Longest wait of a request for the look-up of its key: it may wait for one that is under way, and then for its own. */
const LOOK_UP_MS = 4_000;

const SELECT = `SELECT key_hash, key_id, shop_id, name, kind, scopes, prefix, last_four,
  toUnixTimestamp64Milli(created_at) AS created_ms,
  toUnixTimestamp64Milli(expires_at) AS expires_ms,
  toUnixTimestamp64Milli(revoked_at) AS revoked_ms,
  version
  FROM api_keys FINAL`;

export function createKeyStore(warehouse: Warehouse): KeyStore {
  return {
    async find(hashes) {
      // In the statement, because a parameter has its place in the URL, which holds few.
      const list = hashes.filter((hash) => /^[0-9a-f]{64}$/.test(hash));
      const [first] = list;
      if (first === undefined) return [];
      const sql = `${SELECT} WHERE key_hash IN (${list.map((hash) => `'${hash}'`).join(',')})`;
      const rows = await warehouse.ask(KEYS(sql), { waitMs: LOOK_UP_MS, key: first });
      return rows.map((row) => ({ record: toRecord(row), version: Number(row.version) }));
    },
    async findById(keyId) {
      const [row] = await warehouse.ask(KEYS(`${SELECT} WHERE key_id = {id:String}`, { id: keyId }));
      return row === undefined ? null : toRecord(row);
    },
    async list(shopId) {
      const where = shopId === undefined ? '' : 'WHERE shop_id = {owner:String}';
      const rows = await warehouse.ask(
        KEYS(
          `${SELECT} ${where} ORDER BY created_at DESC, key_id`,
          shopId === undefined ? undefined : { owner: shopId },
        ),
      );
      return rows.map(toRecord);
    },
    write: (record, version) => warehouse.insert('api_keys', [toRow(record, version)]),
  };
}

function toRecord(row: RowOf<typeof KEYS>): KeyRecord {
  return {
    keyHash: row.key_hash,
    keyId: row.key_id,
    shopId: row.shop_id,
    name: row.name,
    kind: row.kind,
    scopes: row.scopes,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: Number(row.created_ms),
    expiresAt: row.expires_ms === null ? null : Number(row.expires_ms),
    revokedAt: row.revoked_ms === null ? null : Number(row.revoked_ms),
  };
}

function toRow(record: KeyRecord, version: number) {
  return {
    key_hash: record.keyHash,
    key_id: record.keyId,
    shop_id: record.shopId,
    name: record.name,
    kind: record.kind,
    scopes: record.scopes,
    prefix: record.prefix,
    last_four: record.lastFour,
    created_at: dateTimeText(record.createdAt),
    expires_at: nullableDateTimeText(record.expiresAt),
    revoked_at: nullableDateTimeText(record.revokedAt),
    version,
  };
}
