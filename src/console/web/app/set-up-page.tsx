import { Connections } from '../connections/connections.js';
import { FirstRun } from '../first-run/first-run.js';
import { Settings } from '../settings/settings.js';
import { NeedsRole } from '../shared/needs-role.js';
import { onDemand } from '../shared/on-demand.js';
import { UPLOADS } from '../upload/kinds.js';
import { settingsPath } from './address.js';
import type { ShopPageProps } from './shop-place.js';

/** Loaded where files are read alone: csv-parse is a fifth of all scripts. */
const Upload = onDemand(() => import('../upload/upload.js').then((page) => page.Upload));

/** Pages that set a shop up, and the way there where a page needs more than is known of the shop. */
export function SetUpPage(props: ShopPageProps) {
  const { shop, address, place } = props;
  if (place.page === 'settings') return <Settings {...props} section={place.section} />;
  if (place.page === 'connections') return <Connections shop={shop} address={address} />;
  if (place.page !== 'upload' || shop.currency === null) return <FirstRun shop={shop} />;
  const back =
    place.kind === 'expenses'
      ? { href: settingsPath(shop.shop_id, 'expenses'), name: 'Expenses' }
      : { href: settingsPath(shop.shop_id, 'costs'), name: 'Unit costs' };
  return (
    <NeedsRole role="manager">
      <Upload key={place.kind} kind={UPLOADS[place.kind]} shop={shop.shop_id} currency={shop.currency} back={back} />
    </NeedsRole>
  );
}
