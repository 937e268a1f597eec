import { useState } from 'preact/hooks';
import { change } from '../shared/api.js';
import { FormEnd } from '../shared/form-end.js';
import { useAction } from '../shared/frame.js';
import { NEW_SOURCE, SourceFields } from '../shared/source-fields.js';

/** A form for a shop and what it registers about itself. */
export function NewShop(props: { onCreated: (id: string) => void; onCancel?: () => void }) {
  const [id, setId] = useState('');
  const [source, setSource] = useState(NEW_SOURCE);
  const { busy, failure, run } = useAction();
  const submit = async (event: Event) => {
    event.preventDefault();
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
        <SourceFields draft={source} setDraft={setSource} />
      </div>
      <p class="note">Currency and time zone stay as they are once the first order is accepted.</p>
      <FormEnd action="Create shop" isDisabled={busy} failure={failure} onCancel={props.onCancel} />
    </form>
  );
}
