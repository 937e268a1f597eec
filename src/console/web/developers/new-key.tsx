import { useState } from 'preact/hooks';
import { change, shopApi } from '../shared/api.js';
import { Dialog } from '../shared/dialog.js';
import { useAction } from '../shared/frame.js';
import { FormEnd } from '../shared/form-end.js';
import type { FreshKey } from '../../../schemas/app.js';
import type { KeyKind } from '../../../domain/keys.js';

const KINDS: { kind: KeyKind; label: string; note: string }[] = [
  { kind: 'secret', label: 'Secret', note: 'Reads and writes, as far as its scopes go. For servers only.' },
  {
    kind: 'publishable',
    label: 'Publishable',
    note: 'Reads all profit figures of the shop, and nothing else: whoever has it sees revenue, costs and profit. Keep it off public pages.',
  },
  { kind: 'pixel', label: 'Pixel token', note: 'Sends browser events and nothing else. Safe in a public page.' },
];

const SCOPES = [
  { scope: 'read', note: 'figures, definitions, status' },
  { scope: 'orders:write', note: 'push orders' },
  { scope: 'costs:write', note: 'ad spend, expenses, fee rules' },
  { scope: 'products:write', note: 'product costs' },
] as const;

/** Asks for kind, scopes and expiry, and makes the key. */
export function NewKey(props: { shop: string; onClose: () => void; onCreated: (key: FreshKey) => void }) {
  const [kind, setKind] = useState<KeyKind>('secret');
  const [scopes, setScopes] = useState<string[]>(SCOPES.map(({ scope }) => scope));
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const { busy, failure, run } = useAction();
  const toggle = (scope: string, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  const submit = (event: Event) => {
    event.preventDefault();
    const body = {
      kind,
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(kind === 'secret' && { scopes }),
      ...(expires !== '' && { expires_at: new Date(expires).toISOString() }),
    };
    void run(async () => props.onCreated(await change<FreshKey>(shopApi(props.shop, '/keys'), body)));
  };
  return (
    <Dialog title="Create a key" onClose={props.onClose}>
      <form onSubmit={submit}>
        <label class="field">
          <span>Name (optional)</span>
          <input
            type="text"
            maxLength={100}
            placeholder="Where it is used, such as “warehouse sync”"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <fieldset>
          <legend>Kind</legend>
          {KINDS.map((option) => (
            <label key={option.kind} class="choice">
              <input
                type="radio"
                name="kind"
                value={option.kind}
                checked={kind === option.kind}
                onChange={() => setKind(option.kind)}
              />
              <span>
                <strong>{option.label}</strong>
                <span class="note">{option.note}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {kind === 'secret' && (
          <fieldset>
            <legend>Scopes</legend>
            {SCOPES.map(({ scope, note }) => (
              <label key={scope} class="choice">
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={(event) => toggle(scope, event.currentTarget.checked)}
                />
                <span>
                  <code>{scope}</code>
                  <span class="note">{note}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <label class="field">
          <span>Expires (optional)</span>
          <input type="datetime-local" value={expires} onInput={(event) => setExpires(event.currentTarget.value)} />
        </label>
        <FormEnd
          action="Create key"
          isDisabled={busy || (kind === 'secret' && scopes.length === 0)}
          failure={failure}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  );
}
