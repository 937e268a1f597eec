import { useState } from 'preact/hooks';
import { change } from '../shared/api.js';
import { Trouble, useAction } from '../shared/frame.js';

const CURRENCIES = Intl.supportedValuesOf('currency');
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** A form for a shop and what it registers about itself. */
export function NewShop(props: { onCreated: (id: string) => void; onCancel?: () => void }) {
  const [id, setId] = useState('');
  const [platform, setPlatform] = useState('custom');
  const [currency, setCurrency] = useState('EUR');
  const [timezone, setTimezone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
  const { busy, failure, run } = useAction();
  const submit = async (event: Event) => {
    event.preventDefault();
    const source = { platform, currency, timezone };
    if (await run(() => change('/app/api/shops', { shop_id: id, source }))) props.onCreated(id);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div class="fields">
        <label class="field">
          <span>Shop id</span>
          <input
            required
            pattern="[A-Za-z0-9][A-Za-z0-9_.\-]{0,63}"
            title="1 to 64 letters, digits, dots, dashes and underscores"
            value={id}
            onInput={(event) => setId(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Platform</span>
          <input required maxLength={64} value={platform} onInput={(event) => setPlatform(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>Currency</span>
          <select value={currency} onChange={(event) => setCurrency(event.currentTarget.value)}>
            {CURRENCIES.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Time zone</span>
          <select value={timezone} onChange={(event) => setTimezone(event.currentTarget.value)}>
            {[...new Set([timezone, ...ZONES])].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </label>
      </div>
      <p class="note">Currency and time zone stay as they are once the first order is accepted.</p>
      {failure !== null && <Trouble failure={failure} />}
      <div class="row">
        <button type="submit" class="primary" disabled={busy}>
          Create shop
        </button>
        {props.onCancel !== undefined && (
          <button type="button" onClick={props.onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}
