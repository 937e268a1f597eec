import type { ShareLink } from '../../domain/share-links.js';
import type { Warehouse } from '../client.js';
import { INSTALLATION } from '../cluster/placement.js';
import { dateTimeText, nullableDateTimeText } from '../columns/date-time.js';
import { defineQuery, nullable, texts } from '../query.js';
import { millisOf } from '../sql.js';
import { Type } from 'typebox';

const LINKS = defineQuery('share links', {
  ...texts('tokenHash', 'linkId', 'shopId', 'from', 'to', 'madeBy'),
  createdAt: Type.Number(),
  expiresAt: Type.Number(),
  endedAt: nullable(Type.Number()),
});

export interface ShareLinkStore {
  find(tokenHash: string): Promise<ShareLink | null>;
  /** Those of a shop, the newest first. */
  list(shopId: string): Promise<ShareLink[]>;
  write(link: ShareLink, version: number): Promise<void>;
}

const SELECT = `SELECT token_hash AS tokenHash, link_id AS linkId, shop AS shopId, from_day AS "from", to_day AS "to",
  made_by AS madeBy, ${millisOf('created_at')} AS createdAt, ${millisOf('expires_at')} AS expiresAt, ${millisOf('ended_at')} AS endedAt
  FROM share_links FINAL WHERE place = ''`;

export function createShareLinkStore(warehouse: Warehouse): ShareLinkStore {
  const at = { key: INSTALLATION };
  return {
    async find(tokenHash) {
      const [row] = await warehouse.ask(LINKS(`${SELECT} AND token_hash = {hash:String}`, { hash: tokenHash }), at);
      return row ?? null;
    },
    async list(shopId) {
      const sql = `${SELECT} AND shop = {owner:String} ORDER BY created_at DESC, link_id`;
      return warehouse.ask(LINKS(sql, { owner: shopId }), at);
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
