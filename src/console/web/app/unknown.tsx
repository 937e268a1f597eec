import type { Place } from './address.js';

/** Says which part of the address is wrong, and shows nothing else. */
export function Unknown({ place, isShopKnown }: { place: Place; isShopKnown: boolean }) {
  const shop = 'shop' in place ? place.shop : undefined;
  return (
    <div role="alert" class="empty">
      <h1>This page does not exist</h1>
      <p>
        {shop !== undefined && !isShopKnown
          ? `There is no shop “${shop.slice(0, 64)}” here.`
          : 'The address names no page of this app.'}
      </p>
      <p>
        <a href="/">All shops</a>
      </p>
    </div>
  );
}
