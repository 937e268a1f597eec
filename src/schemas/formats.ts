import { countryCode } from '../domain/countries.js';
import { isRate } from '../domain/costs/rate-form.js';
import { isCurrency } from '../domain/currency.js';
import { isDecimalText } from '../domain/micros.js';
import { canonicalHost, isHostName } from '../domain/own-hosts.js';
import { isPlatform } from '../domain/source.js';
import { canonicalTimeZone, nearestTimeZone } from '../domain/zones/time-zone.js';
import { dayRule, LAST_END_DAY, parseDay, parseTimestamp, timestampRule } from '../domain/time.js';
import type { ErrorCode } from '../error-catalogue.js';

/**
 * What a text of each `format` of the wire schemas has to be, but for those of `ajv-formats`. That would take a blank for the `T`,
 * `+0100`, the year 0 and names of ASCII alone.
 */
export const FORMATS = {
  money: isDecimalText,
  quantity: isDecimalText,
  rate: isRate,
  'date-time': (text: string) => parseTimestamp(text) !== null,
  date: (text: string) => parseDay(text) !== null,
  currency: isCurrency,
  country: (text: string) => countryCode(text) !== null,
  'end-day': (text: string) => parseDay(text, LAST_END_DAY) !== null,
  platform: (text: string) => text === '' || isPlatform(text), // the empty text is recognized by its length
  'not-blank': (text: string) => text === '' || text.trim() !== '',
  'idn-hostname': (text: string) => text === '' || isHostName(text),
  'own-host': (text: string) => canonicalHost(text) !== null,
  timezone: (text: string) => canonicalTimeZone(text) !== null,
};

/** Whether any reader of a document knows a format; most validators have no `idn-hostname`, and say so at each start. */
export const isStandardFormat = (name: string): boolean => ['date-time', 'date', 'uri'].includes(name);

type Rule = string | ((text: string) => string);

/** The fault of a text that is not of its format: its code, and what it has to be. */
export const FORMAT_FAULTS: Record<string, [ErrorCode, Rule]> = {
  money: [
    'invalid_money',
    'must be a plain non-negative decimal such as "12.50" with at most 15 integer and 6 fraction digits',
  ],
  quantity: [
    'invalid_quantity',
    'must be a plain non-negative decimal such as "2" or "0.5" with at most 15 integer and 6 fraction digits',
  ],
  rate: [
    'invalid_value',
    'must be a plain decimal above 0 such as "0.9217" with at most 12 integer and 12 fraction digits',
  ],
  'date-time': ['invalid_timestamp', timestampRule],
  date: ['invalid_value', dayRule],
  'end-day': ['invalid_value', (text) => dayRule(text, LAST_END_DAY)],
  platform: ['invalid_value', 'must not be blank, "pixel" or begin with "custom:", which name other connections'],
  'not-blank': ['invalid_value', 'must not be blank; leave the field out where its value is not known'],
  'own-host': ['invalid_value', 'must be a host such as "pay.example.com", or "*.example.com" for its subdomains'],
  'idn-hostname': ['invalid_value', 'must be a host name such as "shop.example.com", without scheme, port and path'],
  timezone: [
    'invalid_value',
    (text) => `must be a name of the IANA time zones; the nearest is "${nearestTimeZone(text)}"`,
  ],
  country: ['invalid_value', 'must be an ISO 3166-1 alpha-2 code of a country such as "DE"'],
  currency: ['invalid_value', 'must be an ISO 4217 code of three upper-case letters such as "EUR"'],
};
