import { useState } from 'preact/hooks';
import { Icon } from './icon.js';

/** Copies an exact value. */
export function Copy({ value }: { value: string }) {
  const [said, setSaid] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setSaid(`Copied ${value}`),
      () => setSaid(`The browser does not let this page copy ${value}`),
    );
  return (
    <>
      <button
        type="button"
        class="icon-button bare"
        aria-label={`Copy the exact value ${value}`}
        onClick={() => void copy()}
      >
        <Icon name="copy" />
      </button>
      <span role="status" class="unseen">
        {said}
      </span>
    </>
  );
}
