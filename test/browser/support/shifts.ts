/** Collects how far things moved that nobody moved. */
export const SHIFTS = `window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.shifts.push({ value: entry.value, of: entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80)) });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;
