import { useState } from 'preact/hooks';
import { Icon } from '../shared/icon.js';
import { linkHere } from './address.js';
import { rangeParams } from './range.js';
import type { View } from './view.js';

const SAID_MS = 4_000;

/** Copies the address with its days in place of a preset, which would be other days tomorrow. */
export function Share({ view }: { view: View }) {
  const [said, setSaid] = useState('');
  const { from, to, address } = view;
  const cursor = address.query.get('cursor');
  const href = new URL(linkHere(address, { ...rangeParams({ from, to }), cursor }), location.href).href;
  const share = async () => {
    try {
      await navigator.clipboard.writeText(href);
      setSaid('Link copied');
    } catch {
      setSaid('Copy the address of this page');
      history.replaceState(history.state, '', href);
    }
    setTimeout(() => setSaid(''), SAID_MS);
  };
  return (
    <span class="share">
      <button type="button" class="icon-button" aria-label="Share this view" onClick={() => void share()}>
        <Icon name="share" />
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </span>
  );
}
