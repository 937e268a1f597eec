import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ShopifyHookState } from '../../../schemas/shopify-hooks.js';
import { change } from '../shared/api.js';
import { FailureNotice, useAction } from '../shared/frame.js';

interface Props {
  path: string;
  hook: ShopifyHookState | null;
  onSaved: () => void;
  /** What else can be done. */
  children: ComponentChildren;
}

/** Sets the secret that Shopify shows, with the name of the shop there. */
export function HookForm({ path, hook, onSaved, children }: Props) {
  /** Null while what is stored is shown. */
  const [typed, setTyped] = useState<string | null>(null);
  const domain = typed ?? hook?.shop_domain ?? '';
  const [secret, setSecret] = useState('');
  const [said, setSaid] = useState('');
  const { busy, failure, run } = useAction();
  const save = async () => {
    setSaid('');
    const body = { secret: secret.trim(), shop_domain: domain.trim() };
    if (!(await run(() => change(path, body, 'PUT')))) return;
    setTyped(null);
    setSecret('');
    setSaid('Saved');
    onSaved();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="fields">
        <label class="field">
          <span>Name of the shop at Shopify</span>
          <input
            required
            maxLength={253}
            placeholder="my-shop.myshopify.com"
            value={domain}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Secret that Shopify signs with</span>
          <input
            type="password"
            required
            maxLength={255}
            autoComplete="off"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
      </div>
      {hook !== null && <p class="note">A new secret replaces this one, which holds for 24 hours more.</p>}
      {failure !== null && <FailureNotice failure={failure} />}
      <div class="row">
        <button type="submit" class="primary" disabled={busy}>
          {hook === null ? 'Set up webhooks' : 'Replace the secret'}
        </button>
        {children}
        <span role="status">{said}</span>
      </div>
    </form>
  );
}
