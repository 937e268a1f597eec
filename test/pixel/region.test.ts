import { expect } from 'chai';
import { isGuardedCode, placeOf } from '../../pixel/src/region.js';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Every country where silence means no, and the territories that belong with them. */
const GUARDED_CODES = words(`
  AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE
  IS LI NO CH GB AX GF GP MQ RE YT MF SJ GI GG JE IM EU EL UK`);

/** Every time zone where silence means no, under each name that a browser may give it. */
const GUARDED_ZONES = words(`
  Europe/Amsterdam Europe/Athens Europe/Belfast Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Bucharest
  Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Dublin Europe/Gibraltar Europe/Guernsey Europe/Helsinki
  Europe/Isle_of_Man Europe/Jersey Europe/Lisbon Europe/Ljubljana Europe/London Europe/Luxembourg Europe/Madrid
  Europe/Malta Europe/Mariehamn Europe/Nicosia Europe/Oslo Europe/Paris Europe/Prague Europe/Riga Europe/Rome
  Europe/Sofia Europe/Stockholm Europe/Tallinn Europe/Vaduz Europe/Vienna Europe/Vilnius Europe/Warsaw Europe/Zagreb
  Europe/Zurich Africa/Ceuta America/Cayenne America/Guadeloupe America/Marigot America/Martinique Arctic/Longyearbyen
  Asia/Famagusta Asia/Nicosia Atlantic/Azores Atlantic/Canary Atlantic/Jan_Mayen Atlantic/Madeira Atlantic/Reykjavik
  Indian/Mayotte Indian/Reunion`);

/** Zones of `Europe/` where it doesn't, some under names that only newer browsers use. */
const OPEN_EUROPE = words(`
  Europe/Andorra Europe/Astrakhan Europe/Belgrade Europe/Chisinau Europe/Istanbul Europe/Kaliningrad Europe/Kiev
  Europe/Kirov Europe/Kyiv Europe/Minsk Europe/Monaco Europe/Moscow Europe/Podgorica Europe/Samara Europe/San_Marino
  Europe/Sarajevo Europe/Saratov Europe/Simferopol Europe/Skopje Europe/Tirane Europe/Tiraspol Europe/Ulyanovsk
  Europe/Uzhgorod Europe/Vatican Europe/Volgograd Europe/Zaporozhye`);

const NOWHERE = words('UTC GMT Etc/UTC Etc/GMT+1 Etc/Unknown CET WET EET EST5EDT');

/** What the pixel decides for a browser in a zone, without `Temporal` unless there is one. */
function guardedIn(timeZone: string, hint?: string, temporal?: unknown): boolean {
  const original = Intl.DateTimeFormat;
  const page = globalThis as { Temporal?: unknown };
  const { Temporal } = page;
  try {
    Intl.DateTimeFormat = (() => ({ resolvedOptions: () => ({ timeZone }) })) as unknown as typeof original;
    page.Temporal = temporal;
    return placeOf(hint)[0];
  } finally {
    Intl.DateTimeFormat = original;
    page.Temporal = Temporal;
  }
}

describe('pixel: where silence means no', () => {
  it('is decided rightly for every time zone that there is', () => {
    const zones = new Set([...Intl.supportedValuesOf('timeZone'), ...GUARDED_ZONES, ...OPEN_EUROPE, ...NOWHERE]);
    expect(zones.size).to.be.greaterThan(400);
    const guarded = [...zones].filter((zone) => guardedIn(zone)).sort();
    expect(guarded).to.deep.equal([...new Set([...GUARDED_ZONES, ...NOWHERE])].sort());
  });

  it('is decided rightly for every two letters', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const guarded = letters.flatMap((a) => letters.map((b) => a + b)).filter(isGuardedCode);
    expect(guarded).to.deep.equal([...GUARDED_CODES].sort());
  });

  it('goes by the hint of the page where it is a country, in either case, with or without a subdivision', () => {
    for (const hint of ['DE', 'de', 'DE-BE', 'gb-eng'])
      expect(guardedIn('America/New_York', hint), hint).to.equal(true);
    for (const hint of ['US', 'us-ca', 'JP']) expect(guardedIn('Europe/Berlin', hint), hint).to.equal(false);
  });

  it('goes by Temporal where the browser has it, and not by what else has its name', () => {
    expect(guardedIn('', '', { Now: { timeZoneId: () => 'America/New_York' } })).to.equal(false);
    for (const other of [{}, { Now: {} }, 'x', null]) expect(guardedIn('Europe/Berlin', '', other)).to.equal(true);
  });

  it('goes by the time zone where the hint is none', () => {
    for (const hint of ['', 'XX', 'ZZ', 'Germany', 'T1', 'D', 'DE_BE', '{{ country }}']) {
      expect(guardedIn('Europe/Berlin', hint), hint).to.equal(true);
      expect(guardedIn('America/New_York', hint), hint).to.equal(false);
    }
  });
});
