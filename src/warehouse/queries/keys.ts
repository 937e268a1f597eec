import { Type } from 'typebox';
import type { KeyKind, KeyRecord, Scope, StoredKey } from '../../domain/keys.js';
import type { Warehouse } from '../client.js';
import { dateTimeText, nullableDateTimeText } from '../columns/date-time.js';
import { defineQuery, nullable, textOf, texts, type RowOf } from '../query.js';
import { millisOf } from '../sql.js';

const KEYS = defineQuery('keys', {
  ...texts('keyHash', 'keyId', 'shopId', 'name'),
  kind: textOf<KeyKind>(),
  scopes: Type.Array(textOf<Scope>()),
  ...texts('prefix', 'lastFour', 'version'),
  createdAt: Type.Number(),
  expiresAt: nullable(Type.Number()),
  revokedAt: nullable(Type.Number()),
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

const SELECT = `SELECT key_hash AS keyHash, key_id AS keyId, shop_id AS shopId, name, kind, scopes, prefix, last_four AS lastFour,
  ${millisOf('created_at')} AS createdAt, ${millisOf('expires_at')} AS expiresAt, ${millisOf('revoked_at')} AS revokedAt, version
  FROM api_keys FINAL`;

export function createKeyStore(warehouse: Warehouse): KeyStore {
  return {
    async find(hashes) {
      // In the statement, because a parameter has its place in the URL, which holds few.
      const list = hashes.filter((hash) => /^[0-9a-f]{64}$/.test(hash));
      const [first] = list;
      if (first === undefined) return [];
      const sql = `${SELECT} WHERE key_hash IN (${list.map((hash) => `'${hash}'`).join(',')})`;
      return (await warehouse.ask(KEYS(sql), { waitMs: LOOK_UP_MS, key: first })).map(toStored);
    },
    async findById(keyId) {
      const [row] = await warehouse.ask(KEYS(`${SELECT} WHERE key_id = {id:String}`, { id: keyId }));
      return row === undefined ? null : toStored(row).record;
    },
    async list(shopId) {
      const where = shopId === undefined ? '' : 'WHERE shop_id = {owner:String}';
      const rows = await warehouse.ask(
        KEYS(
          `${SELECT} ${where} ORDER BY created_at DESC, key_id`,
          shopId === undefined ? undefined : { owner: shopId },
        ),
      );
      return rows.map((row) => toStored(row).record);
    },
    write: (record, version) => warehouse.insert('api_keys', [toRow(record, version)]),
  };
}

const toStored = ({ version, ...record }: RowOf<typeof KEYS>): StoredKey => ({ record, version: Number(version) });

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
