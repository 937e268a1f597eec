import type { SampleShopAnswer } from '../../../schemas/app.js';
import { pathOf } from '../app/address.js';
import { change } from '../shared/api.js';
import { FailureNotice, useAction } from '../shared/frame.js';

/** The first screen of a service without a shop: a shop to look around in, or one's own. */
export function NoShop({ isOwner }: { isOwner: boolean }) {
  const { busy, failure, run } = useAction();
  const look = () =>
    run(async () => {
      const { shop_id } = await change<SampleShopAnswer>('/app/api/sample-shop');
      location.assign(pathOf(shop_id, 'overview'));
    });
  return (
    <>
      <h1>Welcome</h1>
      {isOwner ? (
        <>
          <p class="empty">
            There is no shop yet. See in a sample shop what it earns, which ad and which product lose money, and what is
            missing. Or begin with your own.
          </p>
          {failure !== null && <FailureNotice failure={failure} />}
          <div class="row">
            <button type="button" class="primary" disabled={busy} onClick={() => void look()}>
              {busy ? 'Making the sample shop…' : 'Look around a sample shop'}
            </button>
            <a class="button" href="/developers">
              Add your shop
            </a>
          </div>
        </>
      ) : (
        <p class="empty">There is no shop for you yet. An owner can give you one.</p>
      )}
    </>
  );
}
