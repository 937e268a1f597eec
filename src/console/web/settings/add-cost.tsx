import { useState } from 'preact/hooks';
import { PricedEffect } from '../products/priced-effect.js';
import { usePriced } from '../products/use-priced.js';
import { Dialog } from '../shared/dialog.js';
import { FormEnd } from '../shared/form-end.js';

interface Props {
  shop: string;
  currency: string;
  onClose: () => void;
  onSaved: (receipt: string) => void;
}

/** A unit cost and the day from which it holds: what is entered is tried first, and changes nothing until it is saved. */
export function AddCost({ shop, currency, onClose, onSaved }: Props) {
  const [sku, setSku] = useState('');
  const [cost, setCost] = useState('');
  const [from, setFrom] = useState('');
  const isGiven = sku !== '' && cost !== '';
  const { tried, busy, failure, isRefused, save } = usePriced(
    shop,
    isGiven ? [{ sku, unit_cost: cost, effective_from: from === '' ? null : from }] : [],
  );
  const submit = (event: Event) => {
    event.preventDefault();
    void save(onSaved);
  };
  return (
    <Dialog title="Add a unit cost" onClose={onClose}>
      <form onSubmit={submit}>
        <div class="fields">
          <label class="field">
            <span>SKU</span>
            <input
              required
              autocomplete="off"
              value={sku}
              onInput={(event) => setSku(event.currentTarget.value.trim())}
            />
          </label>
          <label class="field">
            <span>Unit cost, {currency}</span>
            <input
              required
              inputMode="decimal"
              autocomplete="off"
              value={cost}
              onInput={(event) => setCost(event.currentTarget.value.trim())}
            />
          </label>
          <label class="field">
            <span>Valid from (empty: from the start)</span>
            <input type="date" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
          </label>
        </div>
        <p class="note" role="status">
          {tried?.preview === undefined ? (
            'What it changes is shown here before it is saved.'
          ) : (
            <PricedEffect tried={tried} currency={currency} />
          )}
          {tried?.results
            .flatMap(({ errors = [] }) => errors)
            .map(({ message }) => (
              <span key={message} class="sub wrong">
                {message}
              </span>
            ))}
        </p>
        <FormEnd action="Save cost" isDisabled={busy || isRefused} failure={failure} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
