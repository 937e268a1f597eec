import { useLayoutEffect } from 'preact/hooks';
import { navigate } from './navigation.js';

const NAME = 'range-keys';

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

/** `[` and `]` go to the period before and after, but where something is typed or a dialog is open. */
export function useRangeKeys(before: string, after: string | null): void {
  // Before the next key: one pressed twice is to go two periods.
  useLayoutEffect(() => {
    const press = ({ key, target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): void => {
      const href = key === '[' ? before : key === ']' ? after : null;
      const isTyped =
        target instanceof Element && target.closest('input, select, textarea, dialog, [popover]') !== null;
      // On some keyboards they are typed with AltGr, which some systems report as both of these.
      const isShortcut = metaKey || ctrlKey !== altKey;
      if (href === null || isTyped || isShortcut || defaultPrevented || !areKeysOn()) return;
      navigate(href);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [before, after]);
}
