import type { ShareLink } from '../../domain/share-links.js';
import type { Warehouse } from '../client.js';
import { INSTALLATION } from '../cluster/placement.js';
import { dateTimeText, nullableDateTimeText } from '../columns/date-time.js';
import { defineQuery, nullable, texts, type RowOf } from '../query.js';
import { Type } from 'typebox';

const LINKS = defineQuery('share links', {
  ...texts('token_hash', 'link_id', 'shop', 'from_day', 'to_day', 'made_by', 'created_ms', 'expires_ms'),
  ended_ms: nullable(Type.String()),
});

export interface ShareLinkStore {
  find(tokenHash: string): Promise<ShareLink | null>;
  /** Those of a shop, the newest first. */
  list(shopId: string): Promise<ShareLink[]>;
  write(link: ShareLink, version: number): Promise<void>;
}

const SELECT = `SELECT token_hash, link_id, shop, from_day, to_day, made_by,
  toUnixTimestamp64Milli(created_at) AS created_ms, toUnixTimestamp64Milli(expires_at) AS expires_ms,
  toUnixTimestamp64Milli(ended_at) AS ended_ms
  FROM share_links FINAL WHERE place = ''`;

export function createShareLinkStore(warehouse: Warehouse): ShareLinkStore {
  const at = { key: INSTALLATION };
  return {
    async find(tokenHash) {
      const [row] = await warehouse.ask(LINKS(`${SELECT} AND token_hash = {hash:String}`, { hash: tokenHash }), at);
      return row === undefined ? null : toLink(row);
    },
    async list(shopId) {
      const sql = `${SELECT} AND shop = {owner:String} ORDER BY created_at DESC, link_id`;
      return (await warehouse.ask(LINKS(sql, { owner: shopId }), at)).map(toLink);
    },
    write: ({ tokenHash, linkId, shopId, from, to, madeBy, createdAt, expiresAt, endedAt }, version) =>
      warehouse.insert('share_links', [
        {
          place: INSTALLATION,
          token_hash: tokenHash,
          link_id: linkId,
          shop: shopId,
          from_day: from,
          to_day: to,
          made_by: madeBy,
          created_at: dateTimeText(createdAt),
          expires_at: dateTimeText(expiresAt),
          ended_at: nullableDateTimeText(endedAt),
          version,
        },
      ]),
  };
}

const toLink = (row: RowOf<typeof LINKS>): ShareLink => ({
  tokenHash: row.token_hash,
  linkId: row.link_id,
  shopId: row.shop,
  from: row.from_day,
  to: row.to_day,
  madeBy: row.made_by,
  createdAt: Number(row.created_ms),
  expiresAt: Number(row.expires_ms),
  endedAt: row.ended_ms === null ? null : Number(row.ended_ms),
});
