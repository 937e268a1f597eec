import type { Shop } from '../../../schemas/app.js';
import type { Source } from '../../../schemas/source.js';
import { shopApi } from '../shared/api.js';
import { Answer, Panel } from '../shared/frame.js';
import { useMay } from '../shared/signed-in.js';
import { useRead } from '../shared/use-read.js';
import { CloseShop } from './close-shop.js';
import { SourceForm } from './source-form.js';

/** What the shop registered, and closing or opening it again. */
export function ShopPanel({ shop, onChanged }: { shop: Shop; onChanged: () => void }) {
  const path = shopApi(shop.shop_id, '/v1/source');
  const isRegistered = shop.currency !== null;
  const loaded = useRead<Source>(isRegistered ? path : null);
  const isOwner = useMay('owner');
  const saved = () => {
    loaded.reload();
    onChanged();
  };
  return (
    <>
      <Panel title="Shop">
        {isRegistered ? (
          <Answer of={loaded} what="settings" rows={4}>
            {(source) => <SourceForm path={path} source={source} onSaved={saved} />}
          </Answer>
        ) : (
          <SourceForm path={path} source={null} onSaved={saved} />
        )}
      </Panel>
      {isRegistered && isOwner && <CloseShop shop={shop} onChanged={onChanged} />}
    </>
  );
}
