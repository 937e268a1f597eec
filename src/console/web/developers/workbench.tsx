import { useState } from 'preact/hooks';
import { linkHere } from '../app/address.js';
import { useAddress } from '../app/navigation.js';
import { FindButton } from '../find/find-button.js';
import { showMomentsIn } from '../shared/clocks.js';
import { Answer, Frame, Panel } from '../shared/frame.js';
import { Icon } from '../shared/icon.js';
import { ShopChoice, UnknownShop, useShops } from '../shared/shop-choice.js';
import { useMay } from '../shared/signed-in.js';
import { aboutOf } from '../shared/zone.js';
import { Keys } from './keys.js';
import { Log } from './log.js';
import { NewShop } from './new-shop.js';
import { QuickStart } from './quick-start.js';
import { Rejections } from './rejections.js';

const TABS = [
  { tab: 'start', label: 'Quick start' },
  { tab: 'keys', label: 'Keys' },
  { tab: 'log', label: 'Request log' },
] as const;

/** What an integrator needs of a shop: the way to its first order, its keys, and what became of its pushes. */
export function Workbench() {
  const address = useAddress();
  const { loaded, shops, shop, unknown, choose } = useShops(address);
  showMomentsIn(shop?.timezone ?? null);
  const [adding, setAdding] = useState(false);
  const isOwner = useMay('owner');
  const created = (id: string) => {
    setAdding(false);
    choose(id);
    loaded.reload();
  };
  const none = loaded.data !== null && shops.length === 0;
  const shown = TABS.find(({ tab }) => tab === address.query.get('tab')) ?? TABS[0];
  return (
    <Frame
      shop={shop?.shop_id ?? (loaded.data === null ? (address.query.get('shop') ?? undefined) : undefined)}
      current="developers"
      about={aboutOf(shop)}
      find={<FindButton shop={shop?.shop_id} timezone={shop?.timezone ?? null} days="" />}
    >
      <div class="page-head">
        <h1>Developers</h1>
        {shop !== undefined && (
          <nav class="segments" aria-label="Developers">
            {TABS.map(({ tab, label }) => (
              <a
                key={tab}
                href={linkHere({ ...address, query: new URLSearchParams({ shop: shop.shop_id }) }, { tab })}
                aria-current={tab === shown.tab ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
        )}
        <div class="row">
          {shop !== undefined && <ShopChoice shops={shops} shop={shop} choose={choose} />}
          {shops.length > 0 && isOwner && (
            <button type="button" onClick={() => setAdding(!adding)} aria-expanded={adding}>
              <Icon name="plus" />
              New shop
            </button>
          )}
        </div>
      </div>
      <Answer of={loaded} what="shops" />
      {unknown !== null && <UnknownShop id={unknown} shops={shops} choose={choose} />}
      {none && (
        <p class="empty">There is no shop yet. Add one here: then make a key for it, and push its first order.</p>
      )}
      {(adding || none) && isOwner && (
        <Panel title="New shop">
          <NewShop onCreated={created} {...(none ? {} : { onCancel: () => setAdding(false) })} />
        </Panel>
      )}
      {shop !== undefined && (
        <div key={shop.shop_id} class="stack">
          {shown.tab === 'start' && <QuickStart shop={shop} address={address} onChanged={loaded.reload} />}
          {shown.tab === 'keys' && <Keys shop={shop} />}
          {shown.tab === 'log' && (
            <>
              <Log shop={shop} address={address} />
              <Rejections shop={shop.shop_id} />
            </>
          )}
        </div>
      )}
    </Frame>
  );
}
