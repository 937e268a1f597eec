import type { Shop } from '../../../schemas/app.js';
import type { Address, Place } from './address.js';

type ShopPlace = Exclude<Place, { page: 'shops' | 'unknown' }>;
export type FigurePlace = Exclude<ShopPlace, { page: 'settings' | 'connections' | 'upload' }>;

export interface ShopPageProps<P extends ShopPlace = ShopPlace> {
  shop: Shop;
  shops: Shop[];
  address: Address;
  place: P;
  /** Of what the list of shops shows. */
  onChanged: () => void;
}
