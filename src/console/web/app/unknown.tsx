import type { Shop } from '../../../schemas/app.js';
import { pathOf, type Place } from './address.js';

interface Props {
  place: Place;
  isShopKnown: boolean;
  /** Those that the reader may see. */
  shops: Shop[];
}

const MOST = 5;

/** Says which part of the address is wrong, and shows nothing else. */
export function Unknown({ place, isShopKnown, shops }: Props) {
  const shop = 'shop' in place ? place.shop : undefined;
  return (
    <div role="alert" class="empty">
      <h1>This page does not exist</h1>
      <p>
        {shop !== undefined && !isShopKnown
          ? `There is no shop “${shop.slice(0, 64)}” here. Nothing is shown in its place.`
          : 'The address names no page of this app.'}
      </p>
      <p>
        {shops.slice(0, MOST).map(({ shop_id }) => (
          <>
            <a href={pathOf(shop_id, 'overview')}>{shop_id}</a> ·{' '}
          </>
        ))}
        <a href="/">All shops</a>
      </p>
      {shop !== undefined && !isShopKnown && <p>If it should be there, ask its owner to give you access.</p>}
    </div>
  );
}
