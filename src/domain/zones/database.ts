import latest from 'moment-timezone/data/packed/latest.json' with { type: 'json' };
import { offsetsOf, unpackZone, type Clock, type OffsetAt } from './clock.js';

/** A release of the IANA database as `moment-timezone` packs it (`data/packed/latest.json`). */
export interface ZoneData {
  /** Year and letter, such as `2026f`. */
  version: string;
  zones: readonly string[];
  /** `zone|other name`. */
  links: readonly string[];
}

/** The release that the service comes with, and the day on which the package brought it. A test holds it against the package. */
export const OWN_RELEASE = { version: '2026f', day: '2026-10-29' };

interface Database {
  version: string;
  /** By themselves in lower case. */
  names: ReadonlyMap<string, string>;
  /** By name; unpacked when first asked: 344 zones of 360 changes take 60 ms. */
  packed: ReadonlyMap<string, string>;
  clocks: Map<string, { clock: Clock; offsetAt: OffsetAt }>;
}

const VERSION = /^(\d{4})[a-z]{1,2}$/;

/** Why data can't be used; it must name every zone that `known` names, since a shop keeps its zone for good. */
export class ZoneDataError extends Error {
  override readonly name = 'ZoneDataError';
}

let current = read(latest);

/** Takes another release in place of the own one, in this process. Throws a {@link ZoneDataError}, and then takes nothing. */
export function useZoneData(data: unknown): void {
  const next = read(data);
  const missing = [...current.packed.keys()].filter((name) => !next.packed.has(name));
  if (missing.length > 0) throw new ZoneDataError(`it lacks zones: ${missing.slice(0, 5).join(', ')}`);
  for (const packed of new Set(next.packed.values())) unpackZone(packed);
  current = next;
}

function read(data: unknown): Database {
  if (!isZoneData(data)) throw new ZoneDataError('it has no version such as "2026f", zones and links');
  const packed = new Map<string, string>();
  for (const zone of data.zones) packed.set(zone.slice(0, zone.indexOf('|')), zone);
  for (const link of data.links) {
    const [zone = '', name = ''] = link.split('|');
    const target = packed.get(zone);
    if (target === undefined) throw new ZoneDataError(`it links "${name.slice(0, 32)}" to a zone that it lacks`);
    packed.set(name, target);
  }
  packed.delete('Factory');
  return {
    version: data.version,
    names: new Map([...packed.keys()].map((name) => [name.toLowerCase(), name])),
    packed,
    clocks: new Map(),
  };
}

function areTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((text) => typeof text === 'string');
}

function isZoneData(data: unknown): data is ZoneData {
  if (typeof data !== 'object' || data === null) return false;
  const { version, zones, links } = data as Partial<Record<keyof ZoneData, unknown>>;
  return typeof version === 'string' && VERSION.test(version) && areTexts(zones) && areTexts(links);
}

/** The release by which days are cut, such as `2026f`. */
export const zonesVersion = (): string => current.version;

/** Every name of the database in its own spelling, by the same in lower case. */
export const zoneNames = (): ReadonlyMap<string, string> => current.names;

/** Last day of the release, as far as it is known: of one that is not the own one, the last of its year. */
function releasedBy(version: string): string {
  return version === OWN_RELEASE.version ? OWN_RELEASE.day : `${VERSION.exec(version)?.[1] ?? ''}-12-31`;
}

const YEAR_MS = 366 * 86_400_000;

/** Whether the release is older than a year, and laws may have changed since. */
export function areZonesOld(nowMs: number): boolean {
  return nowMs - Date.parse(releasedBy(current.version)) > YEAR_MS;
}

function known(timezone: string): { clock: Clock; offsetAt: OffsetAt } {
  let found = current.clocks.get(timezone);
  if (found === undefined) {
    const packed = current.packed.get(timezone);
    if (packed === undefined) throw new RangeError(`there is no time zone "${timezone}"`);
    const { clock } = unpackZone(packed);
    current.clocks.set(timezone, (found = { clock, offsetAt: offsetsOf(clock) }));
  }
  return found;
}

/** The clocks of a zone. Throws a RangeError for a name that is none of the database. */
export const clockOf = (timezone: string): Clock => known(timezone).clock;

/** Milliseconds that a zone is ahead of UTC, by instants in milliseconds. Throws as {@link clockOf} does. */
export const offsetsIn = (timezone: string): OffsetAt => known(timezone).offsetAt;
