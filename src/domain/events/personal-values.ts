import { percentDecode } from './percent-decode.js';
import { isPersonalName } from './personal-names.js';

/** More layers of encoding than any redirect adds: whoever wraps deeper hides something. */
const DEEPEST_ENCODING = 6;
/** No redirect nests more parameters than this; more are taken for personal without a look. */
const MOST_PAIRS = 50;

/** Also the full-width and small forms of the sign. Linear: every run ends at the next `@`. */
const email = /[^\s@＠﹫/][@＠﹫][^\s@＠﹫]*\.[\p{L}\p{N}]/u;
const mention = /^(?:tel|sms|mailto|callto|whatsapp):/i;
const international = /(?<!\w)\+[1-9](?:[ ().+/-]{0,3}\d){6,14}(?!\d)/;
const northAmerican = /^\(?\d{3}\)?[ .+-]{0,2}\d{3}[ .+-]\d{4}$/;
const address = /^(?:\d{1,3}\.){3}\d{1,3}$|^[\da-f]{0,4}(?::[\da-f]{0,4}){3,7}$/i;
const cardShape =
  /^(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|65\d\d|35\d\d)(?:[ +-]?\d{4}){3}$|^3[47]\d\d[ +-]?\d{6}[ +-]?\d{5}$/;
/** `eyJ` is how base64 of `{"` begins: a JSON Web Token, or a JSON profile such as mailing tools append. */
const encodedJson = /(?:^|[^A-Za-z0-9])eyJ[\w+/-]{8}/;
const issuedSecret = /(?:^|\W)(?:[a-z]{2,6}_)?(?:sk|pk|rk|pt|gh[a-z]|shp[a-z]{2}|wc_order)_\w{12}/;
/** Base64 of printable ASCII: each character of a group of four can then be only some of the 64. */
const encodedAscii = /^(?:[I-Za-f][C-HS-Xi-nyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){2,}[\w+/-]{0,3}={0,2}$/;

/**
 * Whether a piece of a URL (a value, a name, a path segment, a fragment; still encoded) holds an e-mail address, a
 * phone number (international form, or the grouped North American one), a payment card number, an IP address, a token,
 * or parameters of personal names nested in it. Plain, percent-encoded up to six times over, or base64 of an e-mail
 * address. Bare runs of digits are ids, not phone numbers.
 */
export function isPersonalValue(piece: string): boolean {
  let text = piece;
  for (let depth = 0; depth <= DEEPEST_ENCODING; depth++) {
    if (isPersonalText(text)) return true;
    const decoded = percentDecode(text);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/** Checks every character first: nearly all text is plain, and then most patterns need not be tried. */
function isPersonalText(text: string): boolean {
  if (text.length < 6) return false;
  let digits = 0;
  let isMarked = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) digits++;
    else if (code === 0x40 || code === 0x3d || code === 0x3a || code > 0x7f) isMarked = true;
  }
  if (isMarked && (email.test(text) || mention.test(text) || hasPersonalPair(text))) return true;
  if (digits >= 4 && isPersonalNumber(text.trim())) return true;
  if (text.length < 8) return false;
  if (text.includes('eyJ') && encodedJson.test(text)) return true;
  if (text.includes('_') && issuedSecret.test(text)) return true;
  return encodedAscii.test(text) && isEncodedEmail(text);
}

function isPersonalNumber(text: string): boolean {
  if (text.includes('+') && international.test(text)) return true;
  return northAmerican.test(text) || address.test(text) || (cardShape.test(text) && passesLuhn(text));
}

/** `/login?email=…` as the value of `return_to`, `;jsessionid=…` in a path, `a=1;phone=2` in a query. */
function hasPersonalPair(text: string): boolean {
  const pairs = text.split(/[?&;#,|]/, MOST_PAIRS + 1);
  if (pairs.length > MOST_PAIRS) return true;
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
