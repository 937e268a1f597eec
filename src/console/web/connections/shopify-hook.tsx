import { useState } from 'preact/hooks';
import type { Shop } from '../../../schemas/app.js';
import type { ShopifyHookState } from '../../../schemas/shopify-hooks.js';
import { change, shopApi } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { Copyable, Dialog } from '../shared/dialog.js';
import { Panel, FailureNotice, useAction } from '../shared/frame.js';
import { useMay } from '../shared/signed-in.js';
import { useRead } from '../shared/use-read.js';
import { HookForm } from './hook-form.js';

/** The webhooks of Shopify: their address, whether any came, and the secret that they are signed with, which is never shown. */
export function ShopifyHook({ shop }: { shop: Shop }) {
  const path = shopApi(shop.shop_id, '/v1/hooks/shopify');
  const isManager = useMay('manager');
  const { data: hook, failure, loading, reload } = useRead<ShopifyHookState>(isManager ? path : null);
  const [ending, setEnding] = useState(false);
  const action = useAction();
  const isNone = isManager && hook === null && failure === null && !loading;
  if (hook === null && failure === null && !(isNone && /shopify/i.test(shop.platform ?? ''))) return null;
  const end = async () => {
    setEnding(false);
    if (await action.run(() => change(path, {}, 'DELETE'))) reload();
  };
  const lastAt = hook?.last_received_at;
  return (
    <Panel
      title="Shopify webhooks"
      note={
        <>
          Shopify then sends each order as it changes. <a href="/docs/shopify#5-webhooks">How to set them up</a>
        </>
      }
    >
      <div class="stack">
        {failure !== null && <FailureNotice failure={failure} retry={reload} />}
        {hook?.needs_secret === true && (
          <p class="notice">The secret cannot be read any more, so webhooks are refused: set it again.</p>
        )}
        {hook?.refused !== undefined && (
          <p class="notice">
            {hook.refused === 1 ? '1 delivery' : `${hook.refused.toLocaleString('en')} deliveries`} refused: the
            signature is not that of the secret
            {hook.last_refused_at !== undefined && `, the last one ${formatMoment(hook.last_refused_at)}`}. Set the
            secret that Shopify signs with.
          </p>
        )}
        {hook !== null && (
          <div>
            <p class="note">
              Address for Shopify; {lastAt === undefined ? 'nothing came yet' : 'last webhook '}
              {lastAt !== undefined && formatMoment(lastAt)}
            </p>
            <Copyable text={hook.url} label="Address for Shopify" />
          </div>
        )}
        {action.failure !== null && <FailureNotice failure={action.failure} />}
        {(hook !== null || isNone) && (
          <HookForm path={path} hook={hook} onSaved={reload}>
            {hook !== null && (
              <button type="button" class="danger-quiet" disabled={action.busy} onClick={() => setEnding(true)}>
                End the webhooks…
              </button>
            )}
          </HookForm>
        )}
      </div>
      {ending && (
        <Dialog title="End the webhooks of Shopify?" onClose={() => setEnding(false)}>
          <p>This address refuses everything from now on. Webhooks that you set up later have another one.</p>
          <div class="row">
            <button type="button" class="danger" onClick={() => void end()}>
              End the webhooks
            </button>
            <button type="button" onClick={() => setEnding(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}
