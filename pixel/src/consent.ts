import type { Place } from './region.js';
import { googleConsent } from './signals/google.js';
import type { Answer, Reader, Reading } from './signals/reading.js';
import { shopifyConsent } from './signals/shopify.js';
import { tcfConsent } from './signals/tcf.js';
import { CONSENT_KEY, type Store } from './storage.js';
import type { ConsentFlags } from './types.js';

/** What is allowed now, and whether a refusal of analytics is the visitor's own. */
export interface ConsentState extends ConsentFlags {
  refused: boolean;
}

export interface Consent {
  /** Reads every source afresh. `allowed` says that analytics is allowed so far. */
  read(allowed: boolean): ConsentState;
  /** The page says what the visitor chose; undefined takes it back, because another page may have said otherwise since. */
  say(flags: Partial<ConsentFlags> | undefined): void;
}

const PENDING_MS = 5000;
const NO: Answer = [false, false];

/**
 * The first of these that speaks of a flag decides it; where several sources speak at once, one no is a no:
 * what the page said; a remembered no; the visitor's choice in a consent tool; a remembered yes; the defaults of
 * consent tools; the region.
 *
 * What the page said is remembered for the next pages only where it differs from what would hold without it: a refusal
 * where silence means no leaves nothing behind.
 */
export function createConsent(store: Store, place: Place, changed: () => void): Consent {
  const began = Date.now();
  const readers = [googleConsent(place, changed), shopifyConsent(changed), tcfConsent(changed), privacyControl];
  let said: Answer | undefined;

  const readAll = (allowed: boolean): Reading[] =>
    readers.map((reader) => {
      try {
        const reading = reader();
        // A consent tool that loads is waited for, but not for ever, and not against a yes that already holds.
        return reading.pending && !allowed && Date.now() - began < PENDING_MS ? { preset: NO } : reading;
      } catch {
        return {};
      }
    });

  return {
    read(allowed) {
      const readings = readAll(allowed);
      const choices = readings.map(({ choice }) => choice);
      const defaults = [readings.map(({ preset }) => preset), [[!place.guarded, !place.guarded] as const]];

      const stored = store.get(CONSENT_KEY);
      let memory = [stored?.analytics, stored?.marketing] as Answer;
      if (said) {
        const without = [choices, ...defaults];
        const [analytics, marketing] = said;
        if (decide(without, 0) === analytics && decide(without, 1) === marketing) store.remove(CONSENT_KEY);
        else if (memory[0] !== analytics || memory[1] !== marketing)
          store.set(CONSENT_KEY, { analytics, marketing, at: Date.now() });
        memory = said;
      }
      const noes: Answer = [memory[0] && undefined, memory[1] && undefined];
      const chosen = [[said], [noes], choices, [memory]];
      const all = [...chosen, ...defaults];
      const analytics = decide(all, 0) === true;
      return { analytics, marketing: analytics && decide(all, 1) === true, refused: decide(chosen, 0) === false };
    },
    say(flags) {
      const analytics = flags?.analytics === true;
      said = flags && [analytics, analytics && flags.marketing === true];
    },
  };
}

/** The answer of the first tier that has any; undefined where none has. */
function decide(tiers: (Answer | undefined)[][], flag: 0 | 1): boolean | undefined {
  for (const tier of tiers) {
    const answers = tier.map((answer) => answer?.[flag]);
    if (answers.includes(false)) return false;
    if (answers.includes(true)) return true;
  }
  return undefined;
}

/** Global Privacy Control refuses the sale and sharing of data: marketing, not the shop's own figures. */
const privacyControl: Reader = () => ({
  choice: [undefined, (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl ? false : undefined],
});
