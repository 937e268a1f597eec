import { useState } from 'preact/hooks';
import { shopApi } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { Answer, Panel } from '../shared/frame.js';
import type { FreshKey, Key, KeysAnswer, Shop } from '../../../schemas/app.js';
import { EndKey, RotateKey } from './key-actions.js';
import { NewKey } from './new-key.js';
import { ShownOnce } from './shown-once.js';
import { Table, words } from '../shared/table.js';
import { useRead } from '../shared/use-read.js';

type Open = { what: 'new' } | { what: 'revoke' | 'rotate'; key: Key } | { what: 'shown'; key: FreshKey } | null;

/** The keys of a shop. A fresh key lives in this component alone, until its dialog is closed. */
export function Keys({ shop }: { shop: Shop }) {
  const loaded = useRead<KeysAnswer>(shopApi(shop.shop_id, '/keys'));
  const { data, reload } = loaded;
  const [open, setOpen] = useState<Open>(null);
  const [all, setAll] = useState(false);
  const keys = data?.keys ?? [];
  const live = keys.filter(({ state }) => state === 'live');
  const shown = all ? keys : live;
  const close = () => setOpen(null);
  const show = (key: FreshKey) => {
    setOpen({ what: 'shown', key });
    reload();
  };
  const ended = () => {
    close();
    reload();
  };
  const create = (
    <button type="button" class="primary" onClick={() => setOpen({ what: 'new' })}>
      Create key
    </button>
  );
  return (
    <Panel title="API keys" actions={create} note="A key is shown once, when it is made. Only its hash is kept.">
      <Answer of={loaded} what="keys" />
      {data !== null && live.length === 0 && (
        <p class="empty">No key works at the moment. Create a secret key to push orders and costs.</p>
      )}
      {shown.length > 0 && <KeyTable keys={shown} open={setOpen} />}
      {keys.length > live.length && (
        <label class="check">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
          Show revoked and expired keys ({keys.length - live.length})
        </label>
      )}
      {open?.what === 'new' && <NewKey shop={shop.shop_id} onClose={close} onCreated={show} />}
      {open?.what === 'revoke' && <EndKey shop={shop.shop_id} of={open.key} onClose={close} onDone={ended} />}
      {open?.what === 'rotate' && <RotateKey shop={shop.shop_id} of={open.key} onClose={close} onCreated={show} />}
      {open?.what === 'shown' && <ShownOnce fresh={open.key} shop={shop} onClose={close} />}
    </Panel>
  );
}

const COLUMNS = words(
  ...['Name', 'Key', 'Kind', 'Scopes', 'Created', 'Last used', 'State'],
  <span class="unseen">Actions</span>,
);

function KeyTable({ keys, open }: { keys: Key[]; open: (what: Open) => void }) {
  return (
    <Table label="API keys" folds columns={COLUMNS}>
      {keys.map((key) => {
        const sign = `${key.prefix}…${key.last_four}`;
        const name = key.name === '' ? sign : `${key.name} (${sign})`;
        return (
          <tr key={key.key_id}>
            <th scope="row">{key.name === '' ? <span class="note">no name</span> : key.name}</th>
            <td>
              <code>{sign}</code>
            </td>
            <td>{key.kind}</td>
            <td class="wide">
              {key.scopes.map((scope) => (
                <span key={scope} class="tag">
                  {scope}
                </span>
              ))}
            </td>
            <td>{formatMoment(key.created_at)}</td>
            <td>{key.last_used_at === null ? 'never' : formatMoment(key.last_used_at)}</td>
            <td>{stateOf(key)}</td>
            <td class="doings">
              {key.state === 'live' && (
                <div class="row tight">
                  <button type="button" onClick={() => open({ what: 'rotate', key })} aria-label={`Rotate ${name}`}>
                    Rotate
                  </button>
                  <button
                    type="button"
                    class="danger-quiet"
                    onClick={() => open({ what: 'revoke', key })}
                    aria-label={`Revoke ${name}`}
                  >
                    Revoke
                  </button>
                </div>
              )}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function stateOf(key: Key): string {
  if (key.state === 'revoked') return `revoked ${formatMoment(key.revoked_at)}`;
  if (key.expires_at === null) return 'live';
  return `${key.state === 'live' ? 'until' : 'expired'} ${formatMoment(key.expires_at)}`;
}
