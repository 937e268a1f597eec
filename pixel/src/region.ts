/** Where the visitor is, as far as a page can tell. */
export interface Place {
  /** `DE` or `US-CA`, where the page said so. */
  code?: string | undefined;
  /** Whether silence means no: EEA, United Kingdom, Switzerland, and wherever the place is unknown. */
  guarded: boolean;
}

// The lists weigh a tenth of the script, so they are written by as few letters as tell one name from the others; their
// test spells out every country and zone.

// The EEA with its outermost regions, Svalbard, the United Kingdom with the Crown dependencies and Gibraltar, and
// Switzerland; EU, EL and UK are in use beside the ISO codes.
const GUARDED_CODES =
  /^(A[TX]|B[EG]|C[HYZ]|D[EK]|E[ELSU]|F[IR]|G[BFGIPR]|H[RU]|I[EMST]|JE|L[ITUV]|M[FQT]|N[LO]|P[LT]|R[EO]|S[EIJK]|UK|YT)/;
// Zones of `Europe/` outside all of these, from Andorra to Zaporozhye.
const OPEN_IN_EUROPE = /\/(An|As|Belg|Ch|Ist|K|Mi|Mo|Po|Sa|Si|Sk|Ti|U|Vat|Vo|Zap)/;
// Their zones elsewhere, from the Azores to Reykjavik, and the zones that name no place, such as `UTC` and `Etc/GMT+1`.
const GUARDED_ELSEWHERE = /^Arctic|^Etc|^[^/]*$|\/(Azo|Canary|Caye|Ceu|Fam|Guade|Jan|Made|Mari|Mart|Mayo|Nic|Reu|Rey)/;

/** Whether the country of `DE` or `DE-BE` is one where silence means no. */
export function isGuardedCode(code: string): boolean {
  return GUARDED_CODES.test(code);
}

/** The place from the page's own hint, else from the browser's time zone. `XX` is what edge servers send for unknown. */
export function placeOf(hint: string | undefined): Place {
  const code = hint?.toUpperCase();
  if (code && /^(?!XX|ZZ)[A-Z]{2}(-\w{1,3})?$/.test(code)) return { code, guarded: isGuardedCode(code) };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { guarded: zone.startsWith('Europe/') ? !OPEN_IN_EUROPE.test(zone) : GUARDED_ELSEWHERE.test(zone) };
}
