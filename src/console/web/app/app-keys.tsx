import { useState } from 'preact/hooks';
import { linkTo, pathOf, type Address, type PageName } from './address.js';
import { KeyList } from './key-list.js';
import { useKeys } from './keys.js';
import { navigate } from './navigation.js';
import { moveRow } from './row-keys.js';

/** The keys that every page of the app has; `?` lists all. */
export function AppKeys({ shop, address }: { shop: string | undefined; address: Address }) {
  const [isListed, setListed] = useState(false);
  const goTo = (page: PageName) => () => {
    if (shop !== undefined) navigate(linkTo(address, pathOf(shop, page)));
  };
  useKeys({
    'g o': goTo('overview'),
    'g r': goTo('orders'),
    j: () => moveRow(1),
    k: () => moveRow(-1),
    '?': () => setListed(true),
  });
  return isListed ? <KeyList onClose={() => setListed(false)} /> : null;
}
