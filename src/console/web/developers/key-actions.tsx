import { useState } from 'preact/hooks';
import { change, shopApi } from '../shared/api.js';
import { Dialog } from '../shared/dialog.js';
import { FailureNotice, useAction } from '../shared/frame.js';
import type { FreshKey, Key } from '../../../schemas/app.js';

interface Props {
  shop: string;
  of: Key;
  onClose: () => void;
}

const path = ({ shop, of }: Props, verb: string): string => shopApi(shop, `/keys/${of.key_id}/${verb}`);

/** Asks before a key is revoked. */
export function EndKey(props: Props & { onDone: () => void }) {
  const { busy, failure, run } = useAction();
  const revoke = async () => {
    if (await run(() => change(path(props, 'revoke')))) props.onDone();
  };
  return (
    <Dialog title="Revoke this key?" onClose={props.onClose}>
      <p>
        {props.of.name !== '' && `${props.of.name}: `}
        <code>
          {props.of.prefix}…{props.of.last_four}
        </code>{' '}
        stops working everywhere within 5 seconds. This can’t be undone.
      </p>
      {failure !== null && <FailureNotice failure={failure} />}
      <div class="row">
        <button type="button" class="danger" disabled={busy} onClick={() => void revoke()}>
          Revoke key
        </button>
        <button type="button" onClick={props.onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}

const OVERLAPS = [
  { hours: 0, label: 'none: the old key stops at once' },
  { hours: 1, label: '1 hour' },
  { hours: 24, label: '24 hours' },
  { hours: 24 * 7, label: '7 days' },
];

/** Makes a key with the same powers; the old one works on for a while. */
export function RotateKey(props: Props & { onCreated: (key: FreshKey) => void }) {
  const [hours, setHours] = useState(24);
  const { busy, failure, run } = useAction();
  const rotate = () =>
    run(async () => props.onCreated(await change<FreshKey>(path(props, 'rotate'), { overlap_hours: hours })));
  return (
    <Dialog title="Rotate this key" onClose={props.onClose}>
      <p>
        You get a new key with the same scopes. The old one, <code>{`${props.of.prefix}…${props.of.last_four}`}</code>,
        works on until the overlap is over.
      </p>
      <label class="field">
        <span>Overlap</span>
        <select value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>
          {OVERLAPS.map((option) => (
            <option key={option.hours} value={option.hours}>
              {option.label}
            </option>
          ))}
        </select>
      </label>
      {failure !== null && <FailureNotice failure={failure} />}
      <div class="row">
        <button type="button" class="primary" disabled={busy} onClick={() => void rotate()}>
          Rotate key
        </button>
        <button type="button" onClick={props.onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
