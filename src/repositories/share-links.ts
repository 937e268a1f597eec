import { hashCode, newCode, newId, type Who } from '../domain/people.js';
import { isOpen, MAX_SHARE_LINKS, SHARE_LINK_MS, type ShareLink } from '../domain/share-links.js';
import { requestError } from '../errors.js';
import type { WithLock } from '../redis/locks.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { ShareLinkStore } from '../warehouse/queries/share-links.js';

interface ShareLinksDeps {
  store: ShareLinkStore;
  takeStamps: TakeStamps;
  withLock: WithLock;
  now: () => number;
}

/** Everything here throws `store_unavailable` while the shard of the links is away. */
export interface ShareLinks {
  /** Those of a shop that can be opened, the newest first. */
  list(shopId: string): Promise<ShareLink[]>;
  /** Makes a link; its token is known in this answer alone. */
  make(days: Pick<ShareLink, 'shopId' | 'from' | 'to'>, by: Who): Promise<{ link: ShareLink; token: string }>;
  end(shopId: string, linkId: string): Promise<ShareLink>;
  /** The link of a token; null: it has ended, or never was. */
  open(token: string): Promise<ShareLink | null>;
}

export function createShareLinks({ store, takeStamps, withLock, now }: ShareLinksDeps): ShareLinks {
  const list = async (shopId: string): Promise<ShareLink[]> =>
    (await store.list(shopId)).filter((link) => isOpen(link, now()));
  const locked = <T>(shopId: string, work: (open: ShareLink[]) => Promise<T>): Promise<T> =>
    withLock(`share-links:${shopId}`, async () => work(await list(shopId)));
  return {
    list,
    make: ({ shopId, from, to }, { name }) =>
      locked(shopId, async (open) => {
        if (open.length >= MAX_SHARE_LINKS)
          throw requestError('too_many', `This shop has ${MAX_SHARE_LINKS} links already: end one first.`);
        const token = newCode();
        const link: ShareLink = {
          tokenHash: hashCode(token),
          linkId: newId(),
          shopId,
          from,
          to,
          madeBy: name,
          createdAt: now(),
          expiresAt: now() + SHARE_LINK_MS,
          endedAt: null,
        };
        await store.write(link, await takeStamps());
        return { link, token };
      }),
    end: (shopId, linkId) =>
      locked(shopId, async (open) => {
        const link = open.find((one) => one.linkId === linkId);
        if (link === undefined) throw requestError('not_found', 'This shop has no such link.');
        await store.write({ ...link, endedAt: now() }, await takeStamps());
        return link;
      }),
    async open(token) {
      const link = await store.find(hashCode(token));
      return link !== null && isOpen(link, now()) ? link : null;
    },
  };
}
