import { Type } from 'typebox';
import type { ShopifyHook } from '../../domain/shopify-hooks.js';
import type { Warehouse } from '../client.js';
import { nullableDateTimeText } from '../columns/date-time.js';
import { defineQuery, nullable, texts, type RowOf } from '../query.js';
import { millisOf } from '../sql.js';

const HOOKS = defineQuery('hooks of Shopify', {
  ...texts('shopId', 'hookId', 'shopDomain', 'secret', 'sealed'),
  until: nullable(Type.Number()),
});

const SELECT = `SELECT shop_id AS shopId, hook_id AS hookId, shop_domain AS shopDomain, secret, old_secret AS sealed,
  ${millisOf('old_until')} AS until
  FROM shopify_hooks FINAL WHERE NOT is_deleted`;

export interface ShopifyHookStore {
  find(hookId: string): Promise<ShopifyHook | null>;
  ofShop(shopId: string): Promise<ShopifyHook | null>;
  write(hook: ShopifyHook, version: number): Promise<void>;
  /** Leaves none of its secrets in the newest row. */
  remove(hook: ShopifyHook, version: number): Promise<void>;
}

export function createShopifyHookStore(warehouse: Warehouse): ShopifyHookStore {
  return {
    async find(hookId) {
      const [row] = await warehouse.ask(HOOKS(`${SELECT} AND hook_id = {hook:String}`, { hook: hookId }));
      return row === undefined ? null : toHook(row);
    },
    async ofShop(shopId) {
      const [row] = await warehouse.ask(HOOKS(`${SELECT} AND shop_id = {shop:String}`, { shop: shopId }));
      return row === undefined ? null : toHook(row);
    },
    async write({ shopId, hookId, shopDomain, secret, oldSecret }, version) {
      await warehouse.insert('shopify_hooks', [
        {
          shop_id: shopId,
          hook_id: hookId,
          shop_domain: shopDomain,
          secret,
          old_secret: oldSecret?.sealed ?? '',
          old_until: nullableDateTimeText(oldSecret?.until ?? null),
          version,
        },
      ]);
    },
    async remove({ shopId, hookId }, version) {
      await warehouse.insert('shopify_hooks', [{ shop_id: shopId, hook_id: hookId, version, is_deleted: 1 }]);
    },
  };
}

const toHook = ({ sealed, until, ...hook }: RowOf<typeof HOOKS>): ShopifyHook => ({
  ...hook,
  oldSecret: sealed === '' || until === null ? null : { sealed, until },
});
