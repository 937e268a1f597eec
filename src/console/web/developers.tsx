import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Keys } from './developers/keys.js';
import { NewShop } from './developers/new-shop.js';
import { Rejections } from './developers/rejections.js';
import { Answer, Frame, Panel } from './shared/frame.js';
import { ShopChoice, UnknownShop, useShops } from './shared/shop-choice.js';
import { NeedsRole } from './shared/needs-role.js';
import { SignedIn, useMay } from './shared/signed-in.js';
import { applyTheme } from './shared/chosen-theme.js';

/** Keys and settings are for those who may change them. */
function Developers() {
  if (useMay('manager')) return <Workbench />;
  return (
    <Frame current="developers">
      <h1>Developers</h1>
      <NeedsRole role="manager">{null}</NeedsRole>
    </Frame>
  );
}

function Workbench() {
  const { loaded, shops, shop, unknown, choose } = useShops();
  const [adding, setAdding] = useState(false);
  const isOwner = useMay('owner');
  const created = (id: string) => {
    setAdding(false);
    choose(id);
    loaded.reload();
  };
  const none = loaded.data !== null && shops.length === 0;
  return (
    <Frame shop={shop?.shop_id} current="developers">
      <div class="page-head">
        <div>
          <h1>Developers</h1>
          <p class="note">
            Keys for everything that sends to or reads from the API, and what it refused. Every endpoint is in{' '}
            <a href="/docs">the docs</a>; what BI tools find in the warehouse, on <a href="/bi">the BI page</a>.
          </p>
        </div>
        <div class="row">
          {shop !== undefined && <ShopChoice shops={shops} shop={shop} choose={choose} />}
          {!none && isOwner && (
            <button type="button" onClick={() => setAdding(!adding)} aria-expanded={adding}>
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
          <Keys shop={shop} />
          <Rejections shop={shop.shop_id} />
        </div>
      )}
    </Frame>
  );
}

applyTheme();
const app = document.getElementById('app');
if (app !== null) {
  render(
    <SignedIn>
      <Developers />
    </SignedIn>,
    app,
  );
}
