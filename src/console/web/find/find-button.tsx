import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shared/icon.js';
import { onDemand } from '../shared/on-demand.js';
import type { FindPlace } from './use-found.js';

const Find = onDemand(() => import('./find.js').then(({ Find }) => Find));

/** Opens the box that finds orders, products and pages, as Ctrl K does. */
export function FindButton(place: FindPlace) {
  const [isOpen, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  /** What is typed before the script of the box is there. */
  const typed = useRef('');
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return;
      event.preventDefault();
      // What is open already, such as a form, keeps what was typed.
      if (document.querySelector('dialog[open]') === null) setOpen(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  useLayoutEffect(() => {
    typed.current = '';
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const keep = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    if (target !== dialog.current || ctrlKey || metaKey || altKey) return;
    if (key === 'Backspace') typed.current = typed.current.slice(0, -1);
    else if (key.length === 1) typed.current += key;
  };
  return (
    <>
      <button type="button" class="nav-item" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        <Icon name="find" />
        <span>Find</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {isOpen && (
        <dialog
          ref={dialog}
          class="find-box"
          aria-label="Find an order, a product or a page"
          onClose={() => setOpen(false)}
          onKeyDown={keep}
          onClick={({ target, currentTarget }) => {
            // A link that is followed, or what is behind the box.
            if (target === currentTarget || (target instanceof Element && target.closest('a') !== null)) setOpen(false);
          }}
        >
          <Find {...place} typed={typed} />
        </dialog>
      )}
    </>
  );
}
