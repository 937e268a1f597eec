import type { ConversionSettings } from './source-conversion.js';

/** What a shop registers about itself (contract: "Source"). */
export interface SourceSettings {
  platform: string;
  /** ISO 4217. */
  currency: string;
  /** IANA name. */
  timezone: string;
  shopDomain: string | null;
  /** How orders of its platform are converted. Null or absent in a record: by the defaults; absent in a registration: unchanged. */
  conversion?: ConversionSettings | null;
  /** Whether spend and expenses in other currencies count at the pushed rates. Absent in a record: no; absent in a registration: unchanged. */
  convertSpend?: boolean;
  /** Further hosts of the shop, as `canonicalHost` gives them. */
  ownHosts: readonly string[];
}

/** What decides which amounts count. */
export type ShopCurrency = Pick<SourceSettings, 'currency' | 'convertSpend'>;

/** What a registration sets; hosts that it leaves out stay as they are. */
export type SourceChange = Omit<SourceSettings, 'ownHosts'> & Partial<Pick<SourceSettings, 'ownHosts'>>;

export interface SourceRecord extends SourceSettings {
  shopId: string;
  /** Milliseconds since 1970. */
  registeredAt: number;
  /** Time of the first accepted order: currency and timezone are immutable from then on. */
  lockedAt: number | null;
  /** Time when the operator closed the shop. */
  closedAt: number | null;
  /** Changes with every write; a reservation of orders names the one that it was checked against. */
  revision: string;
}

/** False for a platform whose connection would be blank or bear the name of another one. */
export function isPlatform(label: string): boolean {
  // Invisible characters would make names that look the same.
  const name = label
    .replace(/[\p{Cf}\p{Z}]/gu, ' ')
    .trim()
    .toLowerCase();
  return name !== '' && name !== 'pixel' && !name.startsWith('custom:');
}
