/**
 * ISO 4217, list one of 2024-06-25 with amendments 176 to 180 (the last of them of 2026-01-01): codes of currencies, funds and
 * metals by the digits of their minor unit. Not the runtime's table, which is as old as the runtime, leaves codes out and has
 * digits of its own, such as 0 of HUF and IQD.
 */
const CODES: readonly (readonly [digits: number | null, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC
     CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
     KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
     PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS
     UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
  [null, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'],
];

/** What ended: the last day, and the code that came after it. What was taken with these codes stays readable. */
const ENDED: Readonly<Record<string, EndedCurrency>> = {
  ANG: { lastDay: '2025-03-30', next: 'XCG' },
  BGN: { lastDay: '2025-12-31', next: 'EUR' },
  CUC: { lastDay: '2020-12-31', next: 'CUP' },
  HRK: { lastDay: '2022-12-31', next: 'EUR' },
  SLL: { lastDay: '2023-12-31', next: 'SLE' },
  ZWL: { lastDay: '2024-08-31', next: 'ZWG' },
};

export interface EndedCurrency {
  /** `YYYY-MM-DD`. */
  lastDay: string;
  next: string;
}

const digitsOf = /* @__PURE__ */ new Map<string, number | null>([
  .../* @__PURE__ */ CODES.flatMap(([digits, codes]) => codes.split(/\s+/).map((code) => [code, digits] as const)),
  .../* @__PURE__ */ Object.keys(ENDED).map((code) => [code, 2] as const),
]);

/** True for an ISO 4217 alpha-3 code in upper case, of a currency that ended lately too. */
export function isCurrency(text: string): boolean {
  return digitsOf.has(text);
}

/** Decimals of the minor unit, such as 2 of EUR; null of a metal or fund without one, and of no code. */
export function currencyDigits(code: string): number | null {
  return digitsOf.get(code) ?? null;
}

/** When a currency ended, on whatever day is asked; null: it did not. */
export function endedCurrency(code: string): EndedCurrency | null {
  return Object.hasOwn(ENDED, code) ? (ENDED[code] ?? null) : null;
}

/** The codes that a new shop may have, sorted. */
export function currentCurrencies(): string[] {
  return [...digitsOf.keys()].filter((code) => endedCurrency(code) === null).sort();
}
