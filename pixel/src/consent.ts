import { placeOf } from './region.js';
import { googleConsent } from './signals/google.js';
import { DENIED, SILENT, type Reader } from './signals/reading.js';
import { shopifyConsent } from './signals/shopify.js';
import { tcfConsent } from './signals/tcf.js';
import { toolConsent } from './signals/tools.js';
import { CONSENT_KEY, keep, recall } from './storage.js';
import type { PixelOptions } from './types.js';

/** What is allowed. Each level holds the ones before it; a refusal is the visitor's own. */
export enum Level {
  Refused = -1,
  Undecided = 0,
  Analytics = 1,
  Marketing = 2,
}

const PENDING_MS = 5000;

/**
 * Reads every source of consent afresh. `said` is what the page said the visitor chose, `before` what was allowed so far.
 *
 * The first of these that speaks of a flag decides it; where several sources speak at once, one no is a no:
 * what the page said; a remembered no; the visitor's choice in a consent tool; a remembered yes; the defaults of
 * consent tools; the region.
 *
 * What the page said is remembered for the next pages only where it differs from what would hold without it: a refusal
 * where silence means no leaves nothing behind.
 */
export function createConsent(
  { region, dataLayer }: Pick<PixelOptions, 'region' | 'dataLayer'>,
  changed: () => void,
): (said: Level | undefined, before: Level) => Level {
  const began = Date.now();
  const place = placeOf(region);
  const readers = [
    googleConsent(place, dataLayer, changed),
    shopifyConsent(changed),
    tcfConsent(changed),
    ...toolConsent(),
    privacyControl,
  ];

  return (said, before) => {
    const readings = readers.map((reader) => {
      try {
        const reading = reader();
        if (reading) return reading;
        // A consent tool that loads is waited for, but not for ever, and not against a yes that already holds.
        if (before < Level.Analytics && Date.now() - began < PENDING_MS) return DENIED;
      } catch {
        // The page's own code is at fault.
      }
      return SILENT;
    });
    // `sort` puts false before true, and undefined last.
    const verdict = (kind: 0 | 1, level: Level): boolean | undefined =>
      readings.map((reading) => reading[kind]?.[level - 1]).sort()[0];
    /** Whether a level is allowed; null for a no that is nobody's choice. */
    const ask = (level: Level, memory: Level | undefined): boolean | null =>
      memory && memory < level ? false : (verdict(0, level) ?? (!!(memory ?? verdict(1, level) ?? !place[0]) || null));
    const decide = (memory?: Level): Level => {
      const analytics = ask(Level.Analytics, memory);
      if (analytics) return ask(Level.Marketing, memory) ? Level.Marketing : Level.Analytics;
      return analytics === false ? Level.Refused : Level.Undecided;
    };

    const memory = recall(CONSENT_KEY).level as Level | undefined;
    if (said) {
      if (said === (decide() || Level.Refused)) keep(CONSENT_KEY);
      else if (said !== memory) keep(CONSENT_KEY, { level: said });
    }
    return said ?? decide(memory);
  };
}

/** Global Privacy Control refuses the sale and sharing of data: marketing, not the shop's own figures. */
const privacyControl: Reader = () => [
  [undefined, (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl ? false : undefined],
];
