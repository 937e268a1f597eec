import { setKeysOn } from './keys.js';

/** Keys of one letter or sign can be switched off (WCAG 2.1.4). */
export function KeySetting({ isOn, setOn }: { isOn: boolean; setOn: (isOn: boolean) => void }) {
  return (
    <label class="choice small wide-only">
      <input type="checkbox" checked={isOn} onChange={(event) => setOn(setKeysOn(event.currentTarget.checked))} />
      <span>Use single keys, such as [ and ] for the period before and after; ? lists all</span>
    </label>
  );
}
