import { holdsAccount, holdsCard } from './numbers.js';
import { holdsPhone } from './phones.js';

/** Also the full-width and small forms of the sign. Linear: every run ends at the next `@`. */
const email = /[^\s@＠﹫/][@＠﹫][^\s@＠﹫]*\.[\p{L}\p{N}]/u;
/** The sign as HTML and JSON escape it. */
const escapedAt = /&#0{0,5}64;|&#x0{0,4}40;|&commat;|\\u0040|\\x40/gi;
const mention = /^(?:tel|sms|mailto|callto|whatsapp|geo):/i;
/** Digits of other scripts and wide forms, dashes and blanks of any kind, signs without a width. */
const unusual = /[^\x20-\x7e]/;

/** Characters of the shortest text that holds a contact. */
export const SHORTEST_CONTACT = 6;

/** A text as it reads: signs as themselves, digits of any script as 0 to 9. */
export interface PlainText {
  text: string;
  digits: number;
  /** Has a sign that some patterns need. */
  isMarked: boolean;
}

/** Looks at every character first: nearly all text is plain, and then most patterns need not be tried. */
export function plainText(given: string): PlainText {
  const plain = given.replace(escapedAt, '@');
  const text = unusual.test(plain) ? usual(plain) : plain;
  let digits = 0;
  let isMarked = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) digits++;
    else if (code === 0x40 || code === 0x3d || code === 0x3a || code > 0x7f) isMarked = true;
  }
  return { text, digits, isMarked };
}

/** Whether it holds an e-mail address, a phone number, or a card or account number. */
export function isContact({ text, digits, isMarked }: PlainText): boolean {
  if (isMarked && (email.test(text) || mention.test(text))) return true;
  return digits >= 7 && isContactNumber(text.trim(), digits);
}

function usual(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[\p{Zs}\t\n\r]/gu, ' ')
    .replace(/\p{Nd}/gu, (digit) => (/\d/.test(digit) ? digit : String(digitOf(digit))));
}

/** The digits of a script follow each other, from a zero that no digit comes before. */
function digitOf(char: string): number {
  let code = char.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code--;
    value++;
  }
  return value;
}

function isContactNumber(text: string, digits: number): boolean {
  if (holdsPhone(text) || (text.includes('+') && holdsPhone(text.replaceAll('+', ' ')))) return true;
  return digits >= 12 && (holdsCard(text) || holdsAccount(text));
}
