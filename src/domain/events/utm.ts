import type { Parameter } from './url-parameter.js';

/** Campaign parameters as sent, trimmed; empty where absent. */
export interface Utm {
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  readonly term: string;
  readonly content: string;
  readonly id: string;
}

export const noUtm: Utm = { source: '', medium: '', campaign: '', term: '', content: '', id: '' };

const longest = 255;
const plain = /^[\w.~|-]*$/;
const keys = new Map((Object.keys(noUtm) as (keyof Utm)[]).map((key) => [`utm_${key}`, key]));

/**
 * The `utm_*` parameters of a URL. Keys in any case; the first value that is not blank wins; runs of blanks and control
 * characters become one space; at most 255 characters are kept; a value that holds personal data counts as absent.
 * Letter case is kept, since advertisers name campaigns in it.
 */
export function readUtm(parameters: readonly Parameter[]): Utm {
  let utm: Record<keyof Utm, string> | null = null;
  for (const { name, value, personal } of parameters) {
    if (personal || !name.startsWith('utm_')) continue;
    const key = keys.get(name);
    if (key === undefined || (utm !== null && utm[key] !== '')) continue;
    utm ??= { ...noUtm };
    utm[key] = tidyText(value);
  }
  return utm ?? noUtm;
}

function tidyText(text: string): string {
  if (text.length <= longest && plain.test(text)) return text;
  const tidy = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (tidy.length <= longest) return tidy;
  // A character outside the basic plane is two units: half of one is no text.
  const cut = tidy.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return cut.trim();
}
