import { useState } from 'preact/hooks';
import { Icon } from './icon.js';

const KEY = 'theme';
type Theme = 'light' | 'dark';

/** What was chosen here before; the system's choice else. Storage may be off. */
function chosen(): Theme | null {
  try {
    const found = localStorage.getItem(KEY);
    return found === 'light' || found === 'dark' ? found : null;
  } catch {
    return null;
  }
}

export function applyTheme(): void {
  const theme = chosen();
  if (theme !== null) document.documentElement.dataset.theme = theme;
}

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme | null>(chosen);
  const toggle = () => {
    const isDark = theme === null ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
    const next = isDark ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // It holds for this page.
    }
    setTheme(next);
  };
  return (
    <button type="button" class="nav-item" onClick={toggle}>
      <Icon name="theme" />
      <span>Light or dark</span>
    </button>
  );
}
