import type { FiguresAnswer, Shop } from '../../../schemas/app.js';
import type { Address } from '../app/address.js';
import { Failed } from '../shared/frame.js';
import { Icon } from '../shared/icon.js';
import { Pager } from '../shared/pager.js';
import { useMay } from '../shared/signed-in.js';
import { useRead } from '../shared/use-read.js';
import { NoShop } from './no-shop.js';
import { ShopRow } from './shop-row.js';

const PAGE = 20;

/** All shops with this month of each. They are never added up. */
export function Shops({ shops, address }: { shops: Shop[]; address: Address }) {
  const isOwner = useMay('owner');
  const pages = Math.max(1, Math.ceil(shops.length / PAGE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(address.query.get('cursor') ?? 1)) || 1));
  const shown = shops.slice((page - 1) * PAGE, page * PAGE);
  const ids = shown.map(({ shop_id }) => shop_id);
  const answer = useRead<FiguresAnswer>(
    ids.length === 0 ? null : `/app/api/figures?shops=${encodeURIComponent(ids.join(','))}`,
  );
  if (shops.length === 0) return <NoShop isOwner={isOwner} />;
  return (
    <>
      <div class="head">
        <h1>All shops</h1>
        <span class="soft">This month</span>
        {isOwner && (
          <a class="button primary" href="/developers">
            <Icon name="plus" />
            New shop
          </a>
        )}
      </div>
      <Failed of={answer} what="figures" />
      <section
        class={answer.failure !== null ? 'panel flush stale' : 'panel flush'}
        aria-label="All shops"
        aria-busy={answer.loading}
      >
        <div class="scroll" tabIndex={0} role="region" aria-label="Shops, table">
          <table class="list-table shops">
            <thead>
              <tr>
                <th scope="col">Shop</th>
                <th scope="col" class="number">
                  Earnings
                </th>
                <th scope="col" class="opt days">
                  By day
                </th>
                <th scope="col" class="number wide-only count">
                  Orders
                </th>
                <th scope="col" class="number wide-only">
                  Revenue
                </th>
                <th scope="col" class="wide-only complete">
                  Is it complete?
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((shop) => (
                <ShopRow
                  key={shop.shop_id}
                  shop={shop}
                  figures={answer.data?.shops.find(({ shop_id }) => shop_id === shop.shop_id)}
                />
              ))}
            </tbody>
          </table>
        </div>
        {pages > 1 && (
          <Pager address={address} next={page < pages ? String(page + 1) : undefined} size={PAGE}>
            {(page - 1) * PAGE + 1} – {(page - 1) * PAGE + shown.length} of {shops.length}
          </Pager>
        )}
        <p class="panel-foot">Each shop has its own currency and days. Shops are never added up.</p>
      </section>
    </>
  );
}
