import { useState } from 'preact/hooks';
import type { Source } from '../../../schemas/source.js';
import { change } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { FailureNotice, useAction } from '../shared/frame.js';
import { NEW_SOURCE, SourceFields } from '../shared/source-fields.js';

interface Props {
  path: string;
  /** Null: not registered yet. */
  source: Source | null;
  onSaved: () => void;
}

/** What the shop is: what was registered for it, or is now. How its orders are converted stays as it is. */
export function SourceForm({ path, source, onSaved }: Props) {
  const stored = {
    platform: source?.platform ?? NEW_SOURCE.platform,
    currency: source?.currency ?? NEW_SOURCE.currency,
    timezone: source?.timezone ?? NEW_SOURCE.timezone,
    domain: source?.shop_domain ?? '',
    hosts: source?.own_hosts?.join(' ') ?? '',
  };
  /** Null while what is stored is shown. */
  const [typed, setTyped] = useState<typeof stored | null>(null);
  const draft = typed ?? stored;
  const { busy, failure, run } = useAction();
  const save = async (event: Event) => {
    event.preventDefault();
    const { platform, currency, timezone, domain, hosts } = draft;
    const body = {
      platform: platform.trim(),
      currency,
      timezone,
      ...(domain.trim() !== '' && { shop_domain: domain.trim() }),
      own_hosts: hosts.split(/[\s,]+/).filter((host) => host !== ''),
    };
    if (!(await run(() => change(path, body, 'PUT')))) return;
    setTyped(null);
    onSaved();
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <div class="fields">
        <SourceFields draft={draft} setDraft={setTyped} isLocked={source?.locked === true} />
        <label class="field">
          <span>Address of the shop</span>
          <input
            placeholder="shop.example.com"
            value={draft.domain}
            onInput={(event) => setTyped({ ...draft, domain: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          <span>Its other addresses</span>
          <input
            placeholder="checkout.example.net"
            value={draft.hosts}
            onInput={(event) => setTyped({ ...draft, hosts: event.currentTarget.value })}
          />
        </label>
      </div>
      <p class="note">
        {source?.locked_at === undefined
          ? 'Currency and time zone stay as they are once the first order is accepted.'
          : `Currency and time zone are fixed since the first order arrived (${formatMoment(source.locked_at)}): another would change the meaning of every past figure.`}{' '}
        Who comes from one of these addresses was in the shop already.
      </p>
      {failure !== null && <FailureNotice failure={failure} />}
      <button type="submit" class="primary" disabled={busy}>
        Save
      </button>
    </form>
  );
}
