import type { Socket } from 'node:net';
import type { SourceRegistry } from '../../repositories/sources.js';
import type { AppRoutes } from './app-routes.js';

export interface SampleShopDeps {
  sources: Pick<SourceRegistry, 'find'>;
  sampleShop: {
    id: string;
    /** Pushes all that the shop has to the service at this address. */
    push: (url: string) => Promise<unknown>;
  };
}

/** Makes the sample shop, once: what it has been sent stays. */
export function sampleShopRoutes(routes: AppRoutes, { sources, sampleShop: { id, push } }: SampleShopDeps): void {
  let underWay: Promise<unknown> | null = null;
  const pushOnce = (url: string): Promise<unknown> => (underWay ??= push(url).finally(() => (underWay = null)));

  routes.post('/app/api/sample-shop', async (req, res) => {
    const source = await sources.find(id, { fresh: true });
    if (source?.lockedAt == null)
      await routes.change(res, { what: 'made the sample shop', shop: id }, () => pushOnce(addressOf(req.socket)));
    res.status(201).json({ shop_id: id });
  });
}

/** Where this service listens, as the request found it: no proxy is between. */
function addressOf({ localAddress = '', localPort = 0 }: Socket): string {
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
