import { isContact, plainText, SHORTEST_CONTACT, type PlainText } from './contacts.js';
import { holdsMachine, holdsPlace } from './numbers.js';
import { isPersonalName } from './names.js';
import { percentDecode } from './percent-decode.js';

/** More layers of encoding than any redirect adds: a value wrapped deeper hides something. */
const DEEPEST_ENCODING = 6;
/** No redirect nests more parameters than this; more are taken for personal without a look. */
const MAX_PAIRS = 50;
/** Encoded parts of one text that are decoded, and layers of these. */
const MAX_TOKENS = 50;
const DEEPEST_TOKEN = 2;

/** `eyJ` is how base64 of `{"` begins: a JSON Web Token, or a JSON profile such as mailing tools append. */
const encodedJson = /(?:^|[^A-Za-z0-9])eyJ[\w+/-]{8}/;
const issuedSecret = /(?:^|\W)(?:[a-z]{2,6}_)?(?:sk|pk|rk|pt|gh[a-z]|shp[a-z]{2}|wc_order)_\w{12}/;
/** Runs of the alphabet of base64 or hex, from any letter or digit that follows none, whose first two bytes may be a text's. */
const tokens =
  /(?<![A-Za-z0-9])(?:[I-Za-fw-z][C-PS-Zac-fi-vyz0-9]|[0-7][A-Za-z0-9])[A-Za-z0-9]{6,}(?:[+/_-][A-Za-z0-9]+)*/g;
const tokenSign = /[+/_-]/;
const hexToken = /^(?:[2-7][\da-f]){6,}$/i;
const printable = /^[^\p{Cc}\ufffd]+$/u;
/** What is looked for: contacts of a person alone, or also tokens, places and parameters of personal names. */
type Search = 'contacts' | 'all';

/** No contact is spelled like this, and most ids of events are. */
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/**
 * Whether a piece of a text (of a URL a value, a name, a path segment or a fragment, still encoded) holds an e-mail address, a
 * phone number, a payment card or bank account number, an IP address, coordinates, a token, or parameters of personal names.
 * Plain, percent-encoded up to six times over, or in base64 or hex. Bare runs of digits are ids, see `phones.ts`.
 */
export function isPersonalValue(piece: string): boolean {
  return isFoundIn(piece, 'all', 0);
}

/** Whether an id holds an e-mail address, a phone number, or a card or account number. It may be a token, or be like a place. */
export function holdsContact(id: string): boolean {
  return !uuid.test(id) && isFoundIn(id, 'contacts', 0);
}

function isFoundIn(piece: string, search: Search, tokenDepth: number): boolean {
  let text = piece;
  for (let depth = 0; depth <= DEEPEST_ENCODING; depth++) {
    if (isPersonalText(text, search, tokenDepth)) return true;
    const decoded = percentDecode(text);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

function isPersonalText(given: string, search: Search, tokenDepth: number): boolean {
  if (given.length < SHORTEST_CONTACT) return false;
  const plain = plainText(given);
  if (isContact(plain) || (search === 'all' && isPrivate(plain))) return true;
  return plain.text.length >= 8 && tokenDepth < DEEPEST_TOKEN && hasPersonalToken(plain.text, search, tokenDepth + 1);
}

function isPrivate({ text: given, digits, isMarked }: PlainText): boolean {
  const text = given.trim();
  if (isMarked && hasPersonalPair(text)) return true;
  if (digits >= 4 && (isMarked || text.includes('.')) && (holdsMachine(text) || holdsPlace(text))) return true;
  return (text.includes('eyJ') && encodedJson.test(text)) || (text.includes('_') && issuedSecret.test(text));
}

/** `/login?email=…` as the value of `return_to`, `;jsessionid=…` in a path, `a=1;phone=2` in a query. */
function hasPersonalPair(text: string): boolean {
  const pairs = text.split(/[?&;#,|]/, MAX_PAIRS + 1);
  if (pairs.length > MAX_PAIRS) return true;
  return pairs.some((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 && isPersonalName(pair.slice(0, equals));
  });
}

/** Whether a part of a text is base64 or hex of something personal. */
function hasPersonalToken(text: string, search: Search, tokenDepth: number): boolean {
  const found = text.match(tokens) ?? [];
  if (found.length > MAX_TOKENS) return true;
  const isHidden = (token: string, encoding: 'base64' | 'hex'): boolean => {
    const decoded = Buffer.from(token, encoding).toString('utf8');
    return printable.test(decoded) && isFoundIn(decoded, search, tokenDepth);
  };
  return found.some((token) => {
    if (isHidden(token, 'base64') || (hexToken.test(token) && isHidden(token, 'hex'))) return true;
    const sign = token.search(tokenSign);
    if (sign < 8) return false;
    const part = token.slice(0, sign);
    return isHidden(part, 'base64') || (hexToken.test(part) && isHidden(part, 'hex'));
  });
}
