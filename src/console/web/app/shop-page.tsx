import { onDemand } from '../shared/on-demand.js';
import type { ShopPageProps } from './shop-place.js';

const FigurePage = onDemand(() => import('./figure-page.js').then((page) => page.FigurePage));
const SetUpPage = onDemand(() => import('./set-up-page.js').then((page) => page.SetUpPage));

export function ShopPage({ place, ...props }: ShopPageProps) {
  const { currency, has_orders } = props.shop;
  const isSetUp = place.page === 'settings' || place.page === 'connections' || place.page === 'upload';
  if (isSetUp || currency === null || (place.page === 'overview' && !has_orders))
    return <SetUpPage {...props} place={place} />;
  return <FigurePage {...props} place={place} currency={currency} />;
}
