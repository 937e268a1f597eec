import { isShopId } from '../../domain/keys.js';
import { canonicalHosts } from '../../domain/own-hosts.js';
import type { SourceRecord } from '../../domain/source.js';
import { cutClock } from '../../domain/zones/clock.js';
import { clockOf } from '../../domain/zones/database.js';
import { inChunks } from '../../domain/in-chunks.js';
import { canonicalTimeZone } from '../../domain/zones/time-zone.js';
import { requestError } from '../../errors.js';
import { json } from '../../http/request-bodies.js';
import type { Alerts } from '../../repositories/alerts.js';
import type { KeyRegistry } from '../../repositories/keys.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { maySee } from '../../domain/people.js';
import { newShopValidator, Shop, ShopsAnswer } from '../../schemas/app.js';
import { appRoute, type AppRoute } from './app-route.js';
import type { SampleShop } from './sample-shop.js';

export interface ShopRouteDeps {
  keys: KeyRegistry;
  sources: SourceRegistry;
  alerts: Pick<Alerts, 'open'>;
  sampleShop: Pick<SampleShop, 'id' | 'isPartial'>;
  now: () => number;
}

const BODY_BYTES = 16 * 1024;

/** Each may cost the warehouse a query, where Redis was emptied; it refuses some hundreds at once. */
const SHOPS_AT_ONCE = 20;

async function stored(shopId: string, { keys, sources, now }: ShopRouteDeps): Promise<Shop> {
  const [record, its] = await Promise.all([sources.require(shopId, { fresh: true }), keys.list(shopId)]);
  return toShop(shopId, record, its.length, now());
}

const closing = (verb: 'close' | 'reopen', line: string, closedAt: (nowMs: number) => number | null) =>
  appRoute('owner', `POST /app/api/shops/:shop/${verb}`, {
    answers: { 200: Shop },
    errors: ['source_not_registered'],
    async run({ shopId, change }, deps: ShopRouteDeps) {
      await deps.sources.require(shopId, { fresh: true });
      await change(line, () => deps.sources.setClosed(shopId, closedAt(deps.now())));
      return stored(shopId, deps);
    },
  });

/** Shops: a shop exists once it has a key or a source, the sample shop once it is complete: until then it is offered. */
export const shopRoutes: readonly AppRoute<ShopRouteDeps>[] = [
  appRoute('viewer', 'GET /app/api/shops', {
    answers: { 200: ShopsAnswer },
    async run({ session: { who } }, { keys, sources, alerts, sampleShop, now }) {
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
      return { shops };
    },
  }),
  appRoute('owner', 'POST /app/api/shops', {
    body: json(newShopValidator, BODY_BYTES),
    answers: { 201: Shop },
    async run({ res, body: { shop_id: shopId, source }, change }, deps) {
      if (!isShopId(shopId)) {
        const message = 'A shop id has 1 to 64 letters, digits, dots, dashes and underscores.';
        throw requestError('invalid_value', message, 'shop_id');
      }
      if ((await deps.sources.find(shopId, { fresh: true })) !== null) {
        throw requestError('invalid_value', 'There is a shop with this id already.', 'shop_id');
      }
      const { platform, currency, timezone, shop_domain = null, own_hosts = [] } = source;
      const fields = { platform, currency, timezone, shopDomain: shop_domain, ownHosts: canonicalHosts(own_hosts) };
      await change({ what: 'made the shop', shop: shopId }, () => deps.sources.put(shopId, fields));
      res.status(201);
      return stored(shopId, deps);
    },
  }),
  closing('close', 'closed the shop', (nowMs) => nowMs),
  closing('reopen', 'opened the shop', () => null),
];

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
