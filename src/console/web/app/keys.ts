import { useLayoutEffect } from 'preact/hooks';

/** The name of the setting in the browser. */
const NAME = 'keys';
/** How long the second key of two may take. */
const SECOND_KEY_MS = 1500;

/** What keys do now, by key; one after g has both: `g o`. While a popover is open, its own keys alone: `range t`. */
const actions = new Map<string, () => void>();
let prefixedAt = -Infinity;

/** Storage may be off: the keys work then. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(NAME) !== 'off';
  } catch {
    return true;
  }
}

/** Switches the keys, for who speaks to the browser or strays on its keys; says what holds now. */
export function setKeysOn(isOn: boolean): boolean {
  try {
    localStorage.setItem(NAME, isOn ? 'on' : 'off');
  } catch {
    // They stay on.
  }
  return areKeysOn();
}

/** What single keys do while the component is shown. */
export function useKeys(byKey: Readonly<Record<string, () => void>>): void {
  // Before the next key: one pressed twice is to act twice.
  useLayoutEffect(() => {
    for (const [key, act] of Object.entries(byKey)) actions.set(key, act);
    return () => {
      for (const [key, act] of Object.entries(byKey)) if (actions.get(key) === act) actions.delete(key);
    };
  });
}

/** Follows single keys, but where something is typed or a dialog is open. */
export function followKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    const isTyped =
      document.querySelector('dialog[open]') !== null ||
      (target instanceof Element && target.closest('input, select, textarea') !== null);
    // On some keyboards brackets are typed with AltGr, which some systems report as both of these.
    const isShortcut = metaKey || ctrlKey !== altKey;
    if (isTyped || isShortcut || defaultPrevented || key === 'Shift' || !areKeysOn()) return;
    const isSecond = event.timeStamp - prefixedAt < SECOND_KEY_MS;
    prefixedAt = key === 'g' && !isSecond ? event.timeStamp : -Infinity;
    const popover = document.querySelector(':popover-open');
    const prefix = popover !== null ? `${popover.id} ` : isSecond ? 'g ' : '';
    const act = actions.get(prefix + key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}
