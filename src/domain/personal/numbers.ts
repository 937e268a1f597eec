/** Numbers that name a person or a place: payment cards, bank accounts, addresses of machines, coordinates. */

/** Groups of a card, or the bare run of its digits. Ids of platforms have 13 or 14 digits, so bare runs of these are none. */
const cards =
  /(?<![A-Za-z\d.-])(?:(?:4\d{3}|5[0-8]\d\d|2[2-7]\d\d|6\d{3}|35\d\d)(?:[ .+-]?\d{4}){3}(?:[ .+-]?\d{1,3})?|3[47]\d\d[ .+-]?\d{6}[ .+-]?\d{5}|3[0689]\d\d[ .+-]\d{6}[ .+-]\d{4})(?![A-Za-z\d-])/g;
const accounts = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ +-]?[A-Z0-9]){11,30}(?![A-Za-z0-9])/gi;
/** Characters of an account number by country. */
const accountLengths = new Map(
  `NO15 BE16 DK18 FI18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 MN20 XK20 CH21 CR21 HR21 LI21 LV21
  BG22 BH22 DE22 GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23 SO23 TL23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24
  SE24 SK24 TN24 VG24 LY25 PT25 ST25 IS26 TR26 BI27 DJ27 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28
  HN28 HU28 LB28 NI28 PL28 SV28 BR29 EG29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MT31 SC31 LC32 RU33`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const machine = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|^[\da-f]{0,4}(?::[\da-f]{0,4}){3,7}$/i;
/** Two decimals of a place within some hundred metres, or one to a metre; degrees in any form. */
const pair = /(?<![\w.])[+-]?\d{1,2}\.\d{3,}[,;|_/ +]{1,2}[+-]?\d{1,3}\.\d{3,}(?![\w.])/;
const lone = /^[+-]?(?:\d{1,2}|1[0-7]\d)\.\d{5,}$/;
const degrees = /\d[°º]\s*\d{1,2}['’′.\d]/;

export function holdsCard(text: string): boolean {
  return text.match(cards)?.some((run) => passesLuhn(run.replace(/\D/g, ''))) ?? false;
}

/** By its check digits, so that few words of letters and digits are taken for one. */
export function holdsAccount(text: string): boolean {
  return text.match(accounts)?.some((run) => isAccount(run.replace(/[^A-Za-z0-9]/g, '').toUpperCase())) ?? false;
}

export function holdsMachine(text: string): boolean {
  return machine.test(text);
}

export function holdsPlace(text: string): boolean {
  return pair.test(text) || lone.test(text) || degrees.test(text);
}

/** ISO 13616; a word may follow. */
function isAccount(text: string): boolean {
  const length = accountLengths.get(text.slice(0, 2));
  if (length === undefined || text.length < length) return false;
  let rest = 0;
  for (const char of text.slice(4, length) + text.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
