import type { Request } from 'express';
import { isShopId } from '../../domain/keys.js';
import { canonicalHosts } from '../../domain/own-hosts.js';
import type { SourceRecord } from '../../domain/source.js';
import { cutClock } from '../../domain/zones/clock.js';
import { clockOf } from '../../domain/zones/database.js';
import { inChunks } from '../../domain/in-chunks.js';
import { canonicalTimeZone } from '../../domain/zones/time-zone.js';
import { requestError } from '../../errors.js';
import { readJson } from '../../body/read-json.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { Alerts } from '../../repositories/alerts.js';
import type { KeyRegistry } from '../../repositories/keys.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { maySee } from '../../domain/people.js';
import { newShopValidator, type Shop } from '../../schemas/app.js';
import type { AppRoutes } from './app-routes.js';
import { sessionOf } from './guard.js';
import type { SampleShop } from './sample-shop.js';

export interface ShopRouteDeps {
  keys: KeyRegistry;
  sources: SourceRegistry;
  alerts: Pick<Alerts, 'open'>;
  sampleShop: Pick<SampleShop, 'id' | 'isPartial'>;
  now: () => number;
}

const BODY_BYTES = 16 * 1024;

/** The shop that a path names. Throws `not_found` for what can't be one. */
export function shopOf(req: Request): string {
  const shop = String(req.params.shop);
  if (!isShopId(shop)) throw requestError('not_found', 'This is no shop id.');
  return shop;
}

/** Each may cost the warehouse a query, where Redis was emptied; it refuses some hundreds at once. */
const SHOPS_AT_ONCE = 20;

/** Shops: a shop exists once it has a key or a source, the sample shop once it is complete: until then it is offered. */
export function shopRoutes(routes: AppRoutes, { keys, sources, alerts, sampleShop, now }: ShopRouteDeps): void {
  const count = async (shopId: string): Promise<number> => (await keys.list(shopId)).length;

  routes.get('/app/api/shops', async (_req, res) => {
    const { who } = sessionOf(res);
    const [records, registered, open] = await Promise.all([keys.list(), sources.shopIds(), alerts.open()]);
    const keysOf = new Map<string, number>(registered.map((id) => [id, 0]));
    for (const { shopId } of records) keysOf.set(shopId, (keysOf.get(shopId) ?? 0) + 1);
    if (sampleShop.isPartial(records.filter(({ shopId }) => shopId === sampleShop.id))) keysOf.delete(sampleShop.id);
    const withSource = new Set(registered);
    // A look-up of what is not there goes on to the warehouse.
    const sourceOf = (id: string) => (withSource.has(id) ? sources.find(id, { fresh: true }) : null);
    const shopOf = async ([id, count]: readonly [string, number]) => ({
      ...toShop(id, await sourceOf(id), count, now()),
      alerts: open.get(id) ?? [],
    });
    const seen = [...keysOf].filter(([id]) => maySee(who, id)).sort();
    const shops: Shop[] = [];
    for (const some of inChunks(seen, SHOPS_AT_ONCE)) shops.push(...(await Promise.all(some.map(shopOf))));
    res.json({ shops });
  });

  routes.post('/app/api/shops', async (req, res) => {
    const { shop_id: shopId, source } = requireValid(newShopValidator, await readJson(req, BODY_BYTES));
    if (!isShopId(shopId)) {
      const message = 'A shop id has 1 to 64 letters, digits, dots, dashes and underscores.';
      throw requestError('invalid_value', message, 'shop_id');
    }
    if ((await sources.find(shopId, { fresh: true })) !== null) {
      throw requestError('invalid_value', 'There is a shop with this id already.', 'shop_id');
    }
    const { platform, currency, timezone, shop_domain = null, own_hosts = [] } = source;
    const fields = { platform, currency, timezone, shopDomain: shop_domain, ownHosts: canonicalHosts(own_hosts) };
    const record = await routes.change(res, { what: 'made the shop', shop: shopId }, () => sources.put(shopId, fields));
    res.status(201).json(toShop(shopId, record, await count(shopId), now()));
  });

  for (const [verb, closedAt] of [
    ['close', now],
    ['reopen', () => null],
  ] as const) {
    routes.post(`/app/api/shops/:shop/${verb}`, async (req, res) => {
      const shopId = shopOf(req);
      await sources.require(shopId, { fresh: true });
      const of = { what: `${verb === 'close' ? 'closed' : 'opened'} the shop`, shop: shopId };
      await routes.change(res, of, () => sources.setClosed(shopId, closedAt()));
      const record = await sources.require(shopId, { fresh: true });
      res.json(toShop(shopId, record, await count(shopId), now()));
    });
  }
}

const YEAR_SECONDS = 366 * 86_400;

/** The clock of a zone for the app: the browser's own time zones may be of another release than those by which days are cut. */
export function clockNear(timezone: string, nowMs: number): Shop['clock'] {
  if (canonicalTimeZone(timezone) === null) return null;
  const seconds = nowMs / 1000;
  return cutClock(clockOf(timezone), seconds - YEAR_SECONDS, seconds + YEAR_SECONDS);
}

function toShop(shopId: string, source: SourceRecord | null, keys: number, nowMs: number): Shop {
  return {
    shop_id: shopId,
    keys,
    platform: source?.platform ?? null,
    currency: source?.currency ?? null,
    timezone: source?.timezone ?? null,
    clock: source === null ? null : clockNear(source.timezone, nowMs),
    alerts: [],
    has_orders: source?.lockedAt != null,
    closed_at: source?.closedAt == null ? null : new Date(source.closedAt).toISOString(),
  };
}
