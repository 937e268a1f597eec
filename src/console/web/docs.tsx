import { applyTheme, switchTheme } from './shared/chosen-theme.js';

/** What the pages of the documentation can do with a script; they are whole without it. */
applyTheme();
document.documentElement.dataset.script = '';
document.addEventListener('DOMContentLoaded', () => {
  // On a phone the contents are a strip.
  document.querySelector('.contents [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
});
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  if (target.closest('[data-theme-switch]')) switchTheme();
  const button = target.closest('button.copy');
  const code = button?.closest('.snippet')?.querySelector('code')?.textContent;
  if (!(button instanceof HTMLButtonElement) || code === undefined) return;
  navigator.clipboard.writeText(code).then(
    () => (button.textContent = 'Copied'),
    () => (button.textContent = 'Select and copy'),
  );
});
