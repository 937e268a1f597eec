import type { KeyKind, KeyRecord, Scope } from '../domain/keys.js';
import type { Warehouse } from './client.js';

interface KeyRow {
  key_hash: string;
  key_id: string;
  shop_id: string;
  kind: KeyKind;
  scopes: Scope[];
  prefix: string;
  last_four: string;
  created_ms: string;
  expires_ms: string | null;
  revoked_ms: string | null;
}

export interface KeyStore {
  find(hash: string): Promise<KeyRecord | null>;
  /** All keys, revoked ones too, newest first; of one shop when it is given. */
  list(shopId?: string): Promise<KeyRecord[]>;
  write(record: KeyRecord, version: number): Promise<void>;
}

const SELECT = `SELECT key_hash, key_id, shop_id, kind, scopes, prefix, last_four,
  toUnixTimestamp64Milli(created_at) AS created_ms,
  toUnixTimestamp64Milli(expires_at) AS expires_ms,
  toUnixTimestamp64Milli(revoked_at) AS revoked_ms
  FROM api_keys FINAL`;

export function createKeyStore(warehouse: Warehouse): KeyStore {
  return {
    async find(hash) {
      const rows = await warehouse.query<KeyRow>(`${SELECT} WHERE key_hash = {hash:String}`, { hash });
      return rows[0] === undefined ? null : toRecord(rows[0]);
    },
    async list(shopId) {
      const where = shopId === undefined ? '' : 'WHERE shop_id = {shop:String}';
      const rows = await warehouse.query<KeyRow>(
        `${SELECT} ${where} ORDER BY created_at DESC, key_id`,
        shopId === undefined ? undefined : { shop: shopId },
      );
      return rows.map(toRecord);
    },
    async write(record, version) {
      await warehouse.insert('api_keys', [
        {
          key_hash: record.keyHash,
          key_id: record.keyId,
          shop_id: record.shopId,
          kind: record.kind,
          scopes: record.scopes,
          prefix: record.prefix,
          last_four: record.lastFour,
          created_at: record.createdAt,
          expires_at: record.expiresAt,
          revoked_at: record.revokedAt,
          version,
        },
      ]);
    },
  };
}

function toRecord(row: KeyRow): KeyRecord {
  return {
    keyHash: row.key_hash,
    keyId: row.key_id,
    shopId: row.shop_id,
    kind: row.kind,
    scopes: row.scopes,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: Number(row.created_ms),
    expiresAt: row.expires_ms === null ? null : Number(row.expires_ms),
    revokedAt: row.revoked_ms === null ? null : Number(row.revoked_ms),
  };
}
