import { closest } from 'fastest-levenshtein';
import { zoneNames } from './database.js';

const NAME = /^[A-Za-z0-9_+/-]{1,32}$/;

/** A time zone in its own spelling, whatever the case it is given in; null for any other text. */
export function canonicalTimeZone(text: string): string | null {
  return NAME.test(text) ? (zoneNames().get(text.toLowerCase()) ?? null) : null;
}

/**
 * What most people mean by an abbreviation. The runtime may read it as another zone, such as BST as Dhaka's.
 */
const ABBREVIATIONS = new Map(
  Object.entries({
    'Africa/Cairo': 'EET EEST',
    'Africa/Johannesburg': 'SAST',
    'Africa/Lagos': 'WAT',
    'Africa/Maputo': 'CAT',
    'Africa/Nairobi': 'EAT',
    'America/Anchorage': 'AKST AKDT',
    'America/Argentina/Buenos_Aires': 'ART AGT',
    'America/Chicago': 'CST CDT',
    'America/Denver': 'MDT',
    'America/Halifax': 'AST ADT',
    'America/Los_Angeles': 'PST PDT PT',
    'America/New_York': 'EDT ET',
    'America/Sao_Paulo': 'BRT BET',
    'America/St_Johns': 'NDT CNT',
    'Asia/Dubai': 'GST',
    'Asia/Ho_Chi_Minh': 'VST ICT',
    'Asia/Hong_Kong': 'HKT',
    'Asia/Jakarta': 'WIB',
    'Asia/Karachi': 'PKT PLT',
    'Asia/Kolkata': 'IST',
    'Asia/Manila': 'PHT PHST',
    'Asia/Seoul': 'KST',
    'Asia/Shanghai': 'CTT',
    'Asia/Singapore': 'SGT',
    'Asia/Tokyo': 'JST',
    'Australia/Adelaide': 'ACST ACDT',
    'Australia/Darwin': 'ACT',
    'Australia/Perth': 'AWST',
    'Australia/Sydney': 'AEST AEDT AET',
    'Europe/Berlin': 'CEST MEZ MESZ',
    'Europe/Lisbon': 'WEST',
    'Europe/London': 'BST',
    'Europe/Moscow': 'MSK',
    'Europe/Paris': 'ECT',
    'Pacific/Auckland': 'NZST NZDT NST',
    'Pacific/Guadalcanal': 'SBT',
    'Pacific/Pago_Pago': 'SST',
  }).flatMap(([zone, words]) => words.split(' ').map((word): [string, string] => [word, zone])),
);
const OFFSET = /^(?:UTC|GMT|Z)?([+-])(\d{1,2})(?::?00)?$/i;
const LONGEST = 64;

/** The name on the list that a text which is none of them most likely means. */
export function nearestTimeZone(text: string): string {
  const given = text.slice(0, LONGEST).trim();
  const [, sign, hours] = OFFSET.exec(given) ?? [];
  // The signs of these names are those of POSIX: behind Greenwich is positive.
  const fixed = `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`;
  const names = zoneNames();
  if (names.has(fixed.toLowerCase())) return fixed;
  if (given.length < 2) return 'UTC'; // nothing, or Z
  const meant = ABBREVIATIONS.get(given.toUpperCase());
  if (meant !== undefined) return meant;
  // By their last parts too, such as `berlin`.
  const parts = [...names].map(([lower, name]): [string, string] => [lower.slice(lower.lastIndexOf('/') + 1), name]);
  const candidates = given.includes('/') ? names : new Map([...parts, ...names]);
  return candidates.get(closest(given.toLowerCase(), [...candidates.keys()])) ?? 'UTC';
}
