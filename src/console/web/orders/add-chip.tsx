import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../shared/dialog.js';
import { Icon } from '../shared/icon.js';

/** Adds a filter that needs a value, which is chosen in a dialog; nothing is read before that is open. */
export function AddChip(props: { label: string; title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="chip" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {props.label}
      </button>
      {isOpen && (
        <Dialog title={props.title} onClose={() => setOpen(false)}>
          {props.children}
          <form method="dialog" class="row">
            <button>Cancel</button>
          </form>
        </Dialog>
      )}
    </>
  );
}
