import { useState } from 'preact/hooks';
import { change, shopApi } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { Dialog } from '../shared/dialog.js';
import { Panel, Trouble, useAction } from '../shared/frame.js';
import type { Shop } from '../../../schemas/app.js';

/** What the shop registered, and closing or opening it again. */
export function ShopPanel({ shop, onChanged }: { shop: Shop; onChanged: () => void }) {
  const [asking, setAsking] = useState(false);
  const { busy, failure, run } = useAction();
  const registered = shop.currency !== null;
  const closed = shop.closed_at !== null;
  const turn = async (verb: 'close' | 'reopen') => {
    setAsking(false);
    if (await run(() => change(shopApi(shop.shop_id, `/${verb}`)))) onChanged();
  };
  return (
    <Panel title="Shop">
      {registered ? (
        <dl class="facts">
          <dt>Platform</dt>
          <dd>{shop.platform}</dd>
          <dt>Currency</dt>
          <dd>{shop.currency}</dd>
          <dt>Time zone</dt>
          <dd>{shop.timezone}</dd>
          <dt>State</dt>
          <dd>{closed ? `Closed since ${formatMoment(shop.closed_at)}` : 'Open'}</dd>
        </dl>
      ) : (
        <p class="note">
          This shop has keys but no source yet: send <code>PUT /v1/source</code> with its currency and time zone before
          its first order.
        </p>
      )}
      {failure !== null && <Trouble failure={failure} />}
      {registered && (
        <button type="button" disabled={busy} onClick={() => (closed ? void turn('reopen') : setAsking(true))}>
          {closed ? 'Open the shop again' : 'Close the shop…'}
        </button>
      )}
      {asking && (
        <Dialog title={`Close ${shop.shop_id}?`} onClose={() => setAsking(false)}>
          <p>Its store shows as uninstalled from now on. Data and keys stay, and you can open it again at any time.</p>
          <div class="row">
            <button type="button" class="danger" onClick={() => void turn('close')}>
              Close the shop
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}
