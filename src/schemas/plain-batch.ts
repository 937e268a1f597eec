import { PLAIN, PLAIN_FIELDS, spanOf, type PlainBatch, type PlainField } from '../domain/events/plain-batch.js';
import { COLLECT_BODY_BYTES, EVENTS_PER_BATCH } from './collect.js';

const FIELDS = PLAIN_FIELDS.length;
const ALL = (1 << FIELDS) - 1;
/** Numbers of an event among the spans. */
const SPANS = FIELDS * 2;
const REQUIRED = (['event_id', 'type', 'ts', 'anon_id', 'consent'] as const).reduce(
  (mask, name) => mask | (1 << PLAIN[name]),
  0,
);

const [QUOTE, COMMA, BRACE, CLOSING_BRACE, CLOSING_BRACKET] = [0x22, 0x2c, 0x7b, 0x7d, 0x5d];
/** What a value may hold, a bit each: digits, the characters of an event id, of an id, of any text. */
const [DIGIT, NAME, ID, TEXT] = [1, 2, 4, 8];
const CLASSES = new Uint8Array(256).map((_, code) => {
  const char = String.fromCharCode(code);
  if (code < 0x20 || code > 0x7e || char === '"' || char === '\\') return 0;
  return (
    TEXT |
    // An id with one of these may be an address of mail or a number of a phone.
    (/[@%+]/.test(char) ? 0 : ID) |
    (/[\w.:-]/.test(char) ? NAME : 0) |
    (/\d/.test(char) ? DIGIT : 0)
  );
});

interface Rule {
  chars: number;
  least: number;
  most: number;
  choices?: readonly string[];
}

const RULES: Record<PlainField, Rule> = {
  event_id: { chars: NAME, least: 1, most: 128 },
  type: {
    ...{ chars: TEXT, least: 1, most: 255 },
    choices: ['page_view', 'product_view', 'add_to_cart', 'begin_checkout'],
  },
  ts: { chars: TEXT, least: 24, most: 24 },
  anon_id: { chars: ID, least: 1, most: 255 },
  consent: { chars: TEXT, least: 1, most: 255, choices: ['analytics', 'analytics+marketing'] },
  session_hint: { chars: ID, least: 0, most: 255 },
  url: { chars: TEXT, least: 0, most: COLLECT_BODY_BYTES },
  referrer: { chars: TEXT, least: 0, most: COLLECT_BODY_BYTES },
  sdk: { chars: ID, least: 0, most: 64 },
  store_client_id: { chars: ID, least: 0, most: 255 },
  product_id: { chars: ID, least: 0, most: 255 },
  sku: { chars: ID, least: 0, most: 255 },
  quantity: { chars: DIGIT, least: 1, most: 9 },
};
const rules = PLAIN_FIELDS.map((name) => RULES[name]);
const CHARS = Uint8Array.from(rules, ({ chars }) => chars);
const LEAST = Int32Array.from(rules, ({ least }) => least);
const MOST = Int32Array.from(rules, ({ most }) => most);

/** What is compared with the body stands in front of it, in the same memory, each at its place. */
const literals: Buffer[] = [];
let literalsEnd = 0;
function literal(text: string): Literal {
  const bytes = Buffer.from(text, 'latin1');
  literals.push(bytes);
  literalsEnd += bytes.length;
  return { at: literalsEnd - bytes.length, length: bytes.length };
}

interface Literal {
  at: number;
  length: number;
}

const KEYS = PLAIN_FIELDS.map((name) => literal(`"${name}":"`));
const CHOICES = rules.map(({ choices }) => choices?.map(literal));
const TOKEN_KEY = literal('"token":"');
const EVENTS_KEY = literal('"events":[');

/** Every loop ends at the zero behind the body; words are read beyond it. */
const bytes = Buffer.concat(literals, literalsEnd + COLLECT_BODY_BYTES + 64);
const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const spans = new Int32Array(EVENTS_PER_BATCH * FIELDS * 2);
const repeated = new Int32Array(EVENTS_PER_BATCH);
/** A bit for each field of the event before. */
let before = 0;
/** Which field stood where in the event before. */
const order = new Int32Array(FIELDS);
let count = 0;
let token: string | null = null;

/** By words first, because a loop over bytes takes several times as long. */
function isSame(one: number, other: number, length: number): boolean {
  let i = 0;
  for (; i + 4 <= length; i += 4) if (words.getInt32(one + i, true) !== words.getInt32(other + i, true)) return false;
  for (; i < length; i++) if (bytes[one + i] !== bytes[other + i]) return false;
  return true;
}

/** Where the literal ends that stands at a place; 0 when another does. */
function after(at: number, { at: from, length }: Literal): number {
  return isSame(at, from, length) ? at + length : 0;
}

function endOf(chars: number, at: number): number {
  let end = at;
  if (chars === TEXT) while (isText(words.getInt32(end, true))) end += 4;
  while (((CLASSES[bytes[end] ?? 0] ?? 0) & chars) !== 0) end++;
  return end;
}

const HIGH = 0x80808080 | 0;
const LOW = 0x01010101;

/** Whether four characters are texts' for certain, all at once. */
function isText(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const slashes = word ^ 0x5c5c5c5c;
  const odd =
    word | (word + LOW) | ((word - 0x20202020) & ~word) | ((quotes - LOW) & ~quotes) | ((slashes - LOW) & ~slashes);
  return (odd & HIGH) === 0;
}

function readToken(at: number): number {
  const from = after(at, TOKEN_KEY);
  if (from === 0 || token !== null) return 0;
  const to = endOf(TEXT, from);
  token = bytes.toString('latin1', from, to);
  return bytes[to] === QUOTE ? to + 1 : 0;
}

function fieldAt(at: number, place: number): number {
  const likely = order[place] ?? 0;
  const key = KEYS[likely];
  if (key !== undefined && isSame(at, key.at, key.length)) return likely;
  for (let field = 0; field < FIELDS; field++) {
    const other = KEYS[field];
    if (other === undefined || !isSame(at, other.at, other.length)) continue;
    order[place] = field;
    return field;
  }
  return -1;
}

/** Where the value ends; 0 when it can't be read. */
function readValue(event: number, field: number, from: number): number {
  const span = spanOf(event, field);
  const bit = 1 << field;
  if ((before & bit) !== 0) {
    const last = spans[span - SPANS] ?? 0;
    const to = from + (spans[span - SPANS + 1] ?? 0) - last;
    if (bytes[to] === QUOTE && isSame(from, last, to - from)) {
      repeated[event] = (repeated[event] ?? 0) | bit;
      spans[span] = from;
      spans[span + 1] = to;
      return to;
    }
  }
  const to = endOf(CHARS[field] ?? 0, from);
  const length = to - from;
  if (bytes[to] !== QUOTE || length < (LEAST[field] ?? 0) || length > (MOST[field] ?? 0)) return 0;
  spans[span] = from;
  spans[span + 1] = to;
  return isChoice(field, from, length) ? to : 0;
}

function isChoice(field: number, from: number, length: number): boolean {
  const choices = CHOICES[field];
  if (choices === undefined) return true;
  for (const choice of choices) if (choice.length === length && isSame(from, choice.at, length)) return true;
  return false;
}

function readEvent(begin: number): number {
  if (count === EVENTS_PER_BATCH || bytes[begin] !== BRACE) return 0;
  const event = count++;
  let at = begin;
  let fields = 0;
  let place = 0;
  spans.fill(0, event * SPANS, (event + 1) * SPANS);
  repeated[event] = 0;
  do {
    const field = fieldAt(at + 1, place++);
    const bit = 1 << field;
    if (field < 0 || (fields & bit) !== 0) return 0;
    fields |= bit;
    const end = readValue(event, field, at + 1 + (KEYS[field]?.length ?? 0));
    if (end === 0) return 0;
    at = end + 1;
  } while (bytes[at] === COMMA);
  if (event > 0) repeated[event] = (repeated[event] ?? 0) | (~(fields | before) & ALL);
  before = fields;
  return (fields & REQUIRED) === REQUIRED && bytes[at] === CLOSING_BRACE ? at + 1 : 0;
}

function readEvents(begin: number): number {
  let at = after(begin, EVENTS_KEY) - 1;
  if (at < 0) return 0;
  do {
    at = readEvent(at + 1);
    if (at === 0) return 0;
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSING_BRACKET ? at + 1 : 0;
}

function readBatch(begin: number): number {
  if (bytes[begin] !== BRACE) return 0;
  let at = readToken(begin + 1);
  if (at > 0 && bytes[at++] !== COMMA) return 0;
  at = readEvents(at > 0 ? at : begin + 1);
  if (at === 0) return 0;
  if (bytes[at] === COMMA) at = readToken(at + 1);
  return at > 0 && bytes[at] === CLOSING_BRACE ? at + 1 : 0;
}

const batch: PlainBatch = {
  bytes,
  view: words,
  spans,
  repeated,
  get count() {
    return count;
  },
  get token() {
    return token;
  },
};

/**
 * Reads a batch the way pixels write it: ASCII, without white space and escapes, and nothing in it but known texts of
 * valid form. Null for everything else, right or wrong. The result is good until the next call.
 */
export function readPlainBatch(body: Buffer): PlainBatch | null {
  if (body.length > COLLECT_BODY_BYTES) return null;
  body.copy(bytes, literalsEnd);
  const end = literalsEnd + body.length;
  bytes[end] = 0;
  count = 0;
  before = 0;
  token = null;
  return readBatch(literalsEnd) === end ? batch : null;
}
