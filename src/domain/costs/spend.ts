import slugify from '@sindresorhus/slugify';
import type { ErrorDetail } from '../../errors.js';
import type { SpendRow as SpendInput } from '../../schemas/spend.js';
import { boundedCache } from '../bounded-cache.js';
import { toMicros } from '../micros.js';

/** A row as it came over the wire, checked. */
export type { SpendInput };

/** Signs that slugify would spell out or drop; the contract makes a hyphen of every run of other characters. */
const SIGNS = /[&♥🦄'’]/gu;

/** Characters of a label, and of its slug: some are spelled out as several. */
const LONGEST_LABEL = 255;
/** Characters of a stored channel. */
export const LONGEST_CHANNEL = 'custom:'.length + LONGEST_LABEL;

/**
 * The stored channel of a merchant's label, `custom:<slug>`; null when nothing is left of it, and when it is too long. Accents
 * are stripped before slugify would transcribe them (ü is u, not ue); letters that no accent explains are transcribed (ø, ß, я).
 */
export function storedChannel(label: string): string | null {
  if (label.length > 2 * LONGEST_LABEL) return null;
  const known = slugs.get(label);
  if (known !== undefined) return known.stored;
  const slug = slugOf(label);
  const stored = slug === '' || slug.length > LONGEST_LABEL ? null : `custom:${slug}`;
  slugs.set(label, { stored });
  return stored;
}

/** A shop has few channels and pushes them every day, while making a slug takes as long as all other checks of a row. */
const slugs = boundedCache<{ stored: string | null }>(1024 * 1024, ({ stored }) => 2 * (stored?.length ?? 0));

function slugOf(label: string): string {
  const plain = label
    .replace(/^\s*custom:/i, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(SIGNS, ' ');
  return slugify(plain, { decamelize: false });
}

/** A spend of zero without ids clears the whole day of its channel and currency; with ids it is a row like any other. */
export function clearsDay({ spend, campaign_id, adset_id, ad_id }: SpendInput): boolean {
  return toMicros(spend) === 0n && campaign_id === undefined && adset_id === undefined && ad_id === undefined;
}

/** The rule of a row that its schema cannot express, on any JSON value. */
export function checkSpendRules(value: unknown): ErrorDetail[] {
  if (typeof value !== 'object' || value === null) return [];
  const { channel } = value as Record<string, unknown>;
  // A longer one is a fault of its form.
  if (typeof channel !== 'string' || channel.length > LONGEST_LABEL || storedChannel(channel) !== null) return [];
  const message =
    slugOf(channel) === ''
      ? 'channel must hold at least one letter or digit that can be spelled in plain letters (a-z, 0-9).'
      : `channel must have at most ${LONGEST_LABEL} characters once it is spelled in plain letters.`;
  return [{ code: 'invalid_channel', message, field: 'channel' }];
}
