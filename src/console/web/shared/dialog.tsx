import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A modal dialog of the browser's own: it holds the focus, and Escape closes it. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog ref={ref} aria-labelledby="dialog-title" class={props.wide === true ? 'broad' : ''} onClose={props.onClose}>
      <h2 id="dialog-title">{props.title}</h2>
      {props.children}
    </dialog>
  );
}

/** A text in a box with a button that copies it. */
export function Copyable({ text, label, long = false }: { text: string; label: string; long?: boolean }) {
  const [done, setDone] = useState('');
  const box = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone('Copied');
    } catch {
      // Without https or permission the text is at least selected.
      const range = document.createRange();
      if (box.current !== null) range.selectNodeContents(box.current);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      setDone('Selected: press Ctrl-C');
    }
    setTimeout(() => setDone(''), 4000);
  };
  const Box = long ? 'pre' : 'div';
  return (
    <div class="copyable">
      <Box class="code" tabIndex={0} role="group" aria-label={label}>
        <code ref={box}>{text}</code>
      </Box>
      <button type="button" class="copy" onClick={() => void copy()} aria-label={`Copy: ${label}`}>
        Copy
      </button>
      <span role="status" class="note">
        {done}
      </span>
    </div>
  );
}
