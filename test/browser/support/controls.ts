import type { Page } from 'playwright-core';

/** Runs in the page: its controls that can't be seen or pressed now, in `hiddenNow`; those of what is closed or covered by a sheet are left out. */
const LOOK = `(() => {
  const faults = new Map();
  const top = document.querySelector('dialog:modal') ?? document.querySelector('.sheet') ?? document;
  const closed = 'dialog:not([open]), [popover]:not(:popover-open), details:not([open]) > :not(summary), .skip';
  for (const one of top.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')) {
    if (one.closest(closed)) continue;
    const name = (one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 60) || one.outerHTML.slice(0, 60);
    const fault = (what) => faults.set(one, one.localName + ' “' + name + '” ' + what);
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) fault('is not seen');
    else if (!one.matches(':disabled')) {
      one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const isReached = [...one.getClientRects()].some((box) => {
        const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return at !== null && (one.contains(at) || at.closest('label')?.control === one);
      });
      if (!isReached) fault('is not reached');
    }
  }
  window.hiddenBefore = window.hiddenNow;
  window.hiddenNow = faults;
})()`;

/** Controls of the page that can be seen and pressed neither on a wide screen nor on a phone: a line each. */
export async function hiddenControls(page: Page): Promise<string[]> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(LOOK);
  }
  return page.evaluate<string[]>(
    '[...window.hiddenNow].filter(([one]) => window.hiddenBefore.has(one)).map(([, fault]) => fault)',
  );
}
