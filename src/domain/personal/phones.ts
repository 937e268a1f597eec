/**
 * Phone numbers as people write them. A bare run of digits is an id of a platform, unless it begins like a national number or
 * with `00` and no trade number (ISBN, GTIN) ends in its check digit.
 */

const FEWEST_DIGITS = 7;
const MAX_DIGITS = 15;

const international = /(?<!\w)\+[1-9](?:[ ().+/-]{0,3}\d){6,14}(?!\d)/;
/** Each needs no digit, letter or number sign around it: `2026-03-01` or a UUID holds none. */
const national: readonly RegExp[] = [
  // 555-123-4567, (555) 123-4567, 1.555.123.4567, 010-1234-5678, 138-1234-5678
  /(?<![\w.,-])(?:\+?1[ .-])?\(?[02-9]\d\d\)?[ .+-]{0,2}\d{3,4}[ .+-]\d{4}(?![\w,-]|\.\d)/,
  /(?<![\w.,-])1[3-9]\d[ -]\d{4}[ -]\d{4}(?![\w,-]|\.\d)/,
  // 030/123456, 0170 1234567, (0151) 234 56789, 06 12 34 56 78
  /(?<![\w.,:-])\(?0\d{1,5}\)?(?:[ /-]{1,3}\d{2,}){1,5}(?![\w,:-]|\.\d)/,
  /(?<![\w.,:-])0\d{1,3}(?:\.\d{2,4}){2,5}(?![\w,:-]|\.\d)/,
  // (11) 91234-5678
  /(?<!\w)\(\d{2,5}\)[ ./-]{0,2}\d(?:[ ./-]?\d){4,9}(?![\w,:-]|\.\d)/,
  // 612 34 56 78, 601 234 567, 98765 43210, 340 1234567
  /(?<![\w.,:-])\d{2,5}(?: \d{2,5}){1,4}(?![\w,:-]|\.\d)/,
  /(?<![\w.,:-])\d{3} \d{6,8}(?![\w,:-]|\.\d)/,
  // 0049 151 23456789
  /(?<![\w.,:-])00[1-9](?:[ ./-]{0,2}\d){8,13}(?![\w,:-]|\.\d)/,
  // 01701234567
  /(?<![\w.,:-])0[1-9]\d{8,10}(?![\w,:-]|\.\d)/,
];
/** What every one of them has. */
const anyNational = /\d[ )./+-]{1,3}\d|(?<!\d)0\d{9}/;
const calendarDay = /^\d{1,2}[./ -]\d{1,2}[./ -]\d{4}$|^\d{4}[./ -]\d{1,2}[./ -]\d{1,2}$/;

/** Whether a text holds a phone number, in international or national form. */
export function holdsPhone(text: string): boolean {
  if (text.includes('+') && international.test(text)) return true;
  if (!anyNational.test(text)) return false;
  return national.some((pattern) => {
    const found = pattern.exec(text)?.[0];
    if (found === undefined || calendarDay.test(found)) return false;
    const digits = found.replace(/\D/g, '');
    if (digits.length < Math.max(FEWEST_DIGITS, found.includes(' ') ? 9 : 0) || digits.length > MAX_DIGITS)
      return false;
    return digits.length < found.length || !isTradeNumber(digits);
  });
}

/** Whether the last digit of an ISBN-10 or of a GTIN of 12 to 14 digits is the one that the others give. */
function isTradeNumber(digits: string): boolean {
  const values = Array.from(digits, Number);
  if (values.length === 10) return values.reduce((sum, digit, at) => sum + digit * (10 - at), 0) % 11 === 0;
  if (values.length < 12 || values.length > 14) return false;
  return values.reduceRight((sum, digit, at) => sum + digit * ((values.length - at) % 2 === 0 ? 3 : 1), 0) % 10 === 0;
}
