import { useState } from 'preact/hooks';
import type { Shop } from '../../../schemas/app.js';
import { change, shopApi } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { Dialog } from '../shared/dialog.js';
import { Panel, FailureNotice, useAction } from '../shared/frame.js';

/** Closing a shop, or opening it again. */
export function CloseShop({ shop, onChanged }: { shop: Shop; onChanged: () => void }) {
  const [asking, setAsking] = useState(false);
  const { busy, failure, run } = useAction();
  const closed = shop.closed_at !== null;
  const turn = async (verb: 'close' | 'reopen') => {
    setAsking(false);
    if (await run(() => change(shopApi(shop.shop_id, `/${verb}`)))) onChanged();
  };
  return (
    <Panel
      title={closed ? 'Open the shop again' : 'Close the shop'}
      note={
        closed
          ? `Closed since ${formatMoment(shop.closed_at)}. Its data and keys are still here.`
          : 'Its store shows as uninstalled from then on. Data and keys stay.'
      }
    >
      {failure !== null && <FailureNotice failure={failure} />}
      <button
        type="button"
        class={closed ? '' : 'danger-quiet'}
        disabled={busy}
        onClick={() => (closed ? void turn('reopen') : setAsking(true))}
      >
        {closed ? 'Open the shop again' : 'Close the shop…'}
      </button>
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
