import { switchTheme } from './chosen-theme.js';
import { Icon } from './icon.js';

export function ThemeButton() {
  return (
    <button type="button" class="nav-item" onClick={switchTheme}>
      <Icon name="theme" />
      <span>Light or dark</span>
    </button>
  );
}
