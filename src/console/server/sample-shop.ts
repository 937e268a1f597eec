import type { Socket } from 'node:net';
import type { KeyRecord } from '../../domain/keys.js';
import type { KeyRegistry } from '../../repositories/keys.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { SampleShopAnswer } from '../../schemas/app.js';
import { appRoute, type AppRoute } from './app-route.js';

export interface SampleShop {
  id: string;
  /** Pushes all that the shop has to the service at this address; not twice at once. */
  push: (url: string) => Promise<unknown>;
  /** Whether it was begun, by these keys of it, and not everything was pushed. */
  isPartial: (keys: readonly Pick<KeyRecord, 'name'>[]) => boolean;
}

export interface SampleShopDeps {
  keys: Pick<KeyRegistry, 'list'>;
  sources: Pick<SourceRegistry, 'find'>;
  sampleShop: SampleShop;
}

/** Makes the sample shop, once: what it has been sent stays. One that a process left when it was killed is completed. */
export const sampleShopRoutes: readonly AppRoute<SampleShopDeps>[] = [
  appRoute('owner', 'POST /app/api/sample-shop', {
    answers: { 201: SampleShopAnswer },
    async run({ req, res, change }, { keys, sources, sampleShop: { id, push, isPartial } }) {
      const [source, its] = await Promise.all([sources.find(id, { fresh: true }), keys.list(id)]);
      if (source?.lockedAt == null || isPartial(its))
        await change({ what: 'made the sample shop', shop: id }, () => push(addressOf(req.socket)));
      res.status(201);
      return { shop_id: id };
    },
  }),
];

/** Where this service listens, as the request found it: no proxy is between. */
function addressOf({ localAddress = '', localPort = 0 }: Socket): string {
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
