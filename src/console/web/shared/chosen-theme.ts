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

/** From light to dark and back, for this and all later pages. */
export function switchTheme(): void {
  const theme = document.documentElement.dataset.theme ?? chosen();
  const isDark = theme === null ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  const next: Theme = isDark ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // It holds for this page.
  }
}
