/** Where the visitor is, as far as a page can tell. */
export type Place = readonly [
  /** Whether silence means no: EEA, United Kingdom, Switzerland, and wherever the place is unknown. */
  guarded: boolean,
  /** `DE-` or `US-CA-`, where the page said so. */
  code?: string,
];

// The lists are a tenth of the script, so each name is cut to the letters that make it unique; their
// test spells out every country and zone.

// The EEA with its outermost regions, Svalbard, the United Kingdom with the Crown dependencies and Gibraltar, and
// Switzerland; EU, EL and UK are in use beside the ISO codes.
const GUARDED_CODES =
  /^(A[TX]|B[EG]|C[HYZ]|D[EK]|E[ELSU]|F[IR]|G[BFGIPR]|H[RU]|I[EMST]|JE|L[ITUV]|M[FQT]|N[LO]|P[LT]|R[EO]|S[EIJK]|UK|YT)/;
// Zones of `Europe/` but those outside all of these, from Andorra to Zaporozhye; their zones elsewhere, from the Azores to
// Reykjavik; and the zones that name no place, such as `UTC` and `Etc/GMT+1`.
const GUARDED_ZONES =
  /^Europe(?!.*(K|or|Sa|ir|sk|lg|Mo|im|ca|pj|nb|au|tr))|^Etc|^[^/]*$|yen|yk|up|Az|Ceu|Nic|mag|nio|yot|ary|rig|rti|dei/;

/** Whether the country of `DE` or `DE-BE` is one where silence means no. */
export function isGuardedCode(code: string): boolean {
  return GUARDED_CODES.test(code);
}

interface Clock {
  Temporal?: { Now?: { timeZoneId?(): string } };
}
/** In a thousandth of the time that a date format takes, which loads the names of all months. */
const timeZone = (): string | undefined => (globalThis as Clock).Temporal?.Now?.timeZoneId?.();

/** The place from the page's own hint, else from the browser's time zone. `XX` is what edge servers send for unknown. */
export function placeOf(hint: string | undefined): Place {
  const code = `${hint?.toUpperCase() ?? ''}-`;
  return /^(?!XX|ZZ)[A-Z]{2}-/.test(code)
    ? [isGuardedCode(code), code]
    : [GUARDED_ZONES.test(timeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone)];
}
