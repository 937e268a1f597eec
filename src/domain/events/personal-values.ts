import { percentDecode } from './percent-decode.js';
import { isPersonalName } from './personal-names.js';

/** More layers of encoding than any redirect adds: whoever wraps deeper hides something. */
const deepestEncoding = 6;
/** No redirect nests more parameters than this; more are taken for personal without a look. */
const mostPairs = 50;

/** Also the full-width and small forms of the sign. Linear: every run ends at the next `@`. */
const email = /[^\s@＠﹫/][@＠﹫][^\s@＠﹫]*\.[\p{L}\p{N}]/u;
const mention = /^(?:tel|sms|mailto|callto|whatsapp):/i;
const international = /(?<!\w)\+[1-9](?:[ ().+/-]{0,3}\d){6,14}(?!\d)/;
const northAmerican = /^\(?\d{3}\)?[ .+-]{0,2}\d{3}[ .+-]\d{4}$/;
const address = /^(?:\d{1,3}\.){3}\d{1,3}$/;
const cardShape =
  /^(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|65\d\d|35\d\d)(?:[ +-]?\d{4}){3}$|^3[47]\d\d[ +-]?\d{6}[ +-]?\d{5}$/;
/** `eyJ` is how base64 of `{"` begins: a JSON Web Token, or a JSON profile such as mailing tools append. */
const encodedJson = /(?:^|[^A-Za-z0-9])eyJ[\w+/-]{8}/;
const issuedSecret = /(?:^|\W)(?:[a-z]{2,6}_)?(?:sk|pk|rk|pt|gh[a-z]|shp[a-z]{2}|wc_order)_\w{12}/;
/** Base64 of ASCII: the first character of every four stands for a byte below 128. */
const encodedAscii = /^(?:[A-Za-f][\w+/-]{3}){2,}(?:[A-Za-f][\w+/-]{1,2})?={0,2}$/;

/**
 * Whether a piece of a URL (a value, a name, a path segment, a fragment; still encoded) holds an e-mail address, a
 * phone number (international form, or the grouped North American one), a payment card number, an IP address, a token,
 * or parameters of personal names nested in it. Plain, percent-encoded up to six times over, or base64 of an e-mail
 * address. Bare runs of digits are ids, not phone numbers.
 */
export function isPersonalValue(piece: string): boolean {
  let text = piece;
  for (let depth = 0; depth <= deepestEncoding; depth++) {
    if (isPersonalText(text)) return true;
    const decoded = percentDecode(text);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

function isPersonalText(text: string): boolean {
  if (text.length < 6) return false;
  if (/[@＠﹫]/.test(text) && email.test(text)) return true;
  if (/\d[\d ().+/-]{4}/.test(text) && isPersonalNumber(text)) return true;
  if (text.includes('eyJ') && encodedJson.test(text)) return true;
  if (text.includes('_') && issuedSecret.test(text)) return true;
  if (text.includes(':') && mention.test(text)) return true;
  if (text.includes('=') && hasPersonalPair(text)) return true;
  return encodedAscii.test(text) && isEncodedEmail(text);
}

function isPersonalNumber(text: string): boolean {
  const value = text.trim();
  return (
    international.test(text) ||
    northAmerican.test(value) ||
    address.test(value) ||
    (cardShape.test(value) && passesLuhn(value))
  );
}

/** `/login?email=…` as the value of `return_to`, `;jsessionid=…` in a path, `a=1;phone=2` in a query. */
function hasPersonalPair(text: string): boolean {
  const pairs = text.split(/[?&;#,|]/, mostPairs + 1);
  if (pairs.length > mostPairs) return true;
  return pairs.some((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 && isPersonalName(pair.slice(0, equals));
  });
}

function isEncodedEmail(text: string): boolean {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  return /^[\x20-\x7e]+$/.test(decoded) && email.test(decoded);
}

function passesLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
