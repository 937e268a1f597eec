import { Chars, endOf, isSame } from './bytes';

/** A batch as pixels write it: where each value stands. */

export const MOST_BODY: i32 = 64 * 1024;
export const MOST_EVENTS: i32 = 20;

export enum Field {
  EventId,
  Type,
  Ts,
  AnonId,
  Consent,
  SessionHint,
  Url,
  Referrer,
  Sdk,
  StoreClientId,
  ProductId,
  Sku,
  Quantity,
}
const FIELDS: i32 = 13;
const ALL: i32 = (1 << FIELDS) - 1;
const REQUIRED: i32 =
  (1 << Field.EventId) | (1 << Field.Type) | (1 << Field.Ts) | (1 << Field.AnonId) | (1 << Field.Consent);

const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const BRACE: u8 = 0x7b;
const CLOSING_BRACE: u8 = 0x7d;
const CLOSING_BRACKET: u8 = 0x5d;

/** A text to be met in the body. */
class Literal {
  readonly at: usize;
  readonly length: i32;

  constructor(text: string) {
    const bytes = String.UTF8.encode(text);
    this.at = changetype<usize>(bytes);
    this.length = bytes.byteLength;
  }

  @inline
  isAt(place: usize): bool {
    return isSame(place, this.at, this.length);
  }
}

/** How a field is written and what its value may be. */
class Rule {
  readonly key: Literal;

  constructor(
    name: string,
    readonly chars: Chars,
    readonly least: i32,
    readonly most: i32,
    /** Null: any text of the right form. */
    readonly choices: Literal[] | null = null,
  ) {
    this.key = new Literal('"' + name + '":"');
  }
}

const TYPES: Literal[] = [
  new Literal('page_view'),
  new Literal('product_view'),
  new Literal('add_to_cart'),
  new Literal('begin_checkout'),
];
const CONSENTS: Literal[] = [new Literal('analytics'), new Literal('analytics+marketing')];

/** By {@link Field}. */
const RULES: Rule[] = [
  new Rule('event_id', Chars.Name, 1, 128),
  new Rule('type', Chars.Text, 1, 255, TYPES),
  new Rule('ts', Chars.Text, 24, 24),
  new Rule('anon_id', Chars.Id, 1, 255),
  new Rule('consent', Chars.Text, 1, 255, CONSENTS),
  new Rule('session_hint', Chars.Id, 0, 255),
  new Rule('url', Chars.Text, 0, MOST_BODY),
  new Rule('referrer', Chars.Text, 0, MOST_BODY),
  new Rule('sdk', Chars.Id, 0, 64),
  new Rule('store_client_id', Chars.Id, 0, 255),
  new Rule('product_id', Chars.Id, 0, 255),
  new Rule('sku', Chars.Id, 0, 255),
  new Rule('quantity', Chars.Digits, 1, 9),
];
const TOKEN = new Literal('"token":"');
const EVENTS = new Literal('"events":[');

/** The body, and behind it room for what loops read beyond its end. */
export const body: usize = memory.data(MOST_BODY + 64);

/** Two numbers a field of each event: where its value begins and ends in memory; both 0 where there is none. */
const spans: usize = memory.data(MOST_EVENTS * FIELDS * 8);
/** Of each event, a bit for each field that is as in the event before: the same value, or none in both. */
const repeated: usize = memory.data(MOST_EVENTS * 4);
/** Which field stood where in the event before. */
const order: usize = memory.data(FIELDS);
/** A bit for each field of the event before. */
let before: i32 = 0;

/** How many events the batch has. */
export let count: i32 = 0;
export let tokenFrom: usize = 0;
export let tokenTo: usize = 0;

function spanOf(event: i32, field: i32): usize {
  return spans + (((event * FIELDS + field) as usize) << 3);
}

export function valueFrom(event: i32, field: i32): usize {
  return load<u32>(spanOf(event, field));
}

export function valueTo(event: i32, field: i32): usize {
  return load<u32>(spanOf(event, field), 4);
}

export function isAsBefore(event: i32, fields: i32): bool {
  return (load<i32>(repeated + (event << 2)) & fields) == fields;
}

/**
 * Reads the body: ASCII, without white space and escapes, and nothing in it but known texts of valid form. False for
 * everything else, right or wrong.
 */
export function readBatch(length: i32): bool {
  const end = body + length;
  store<u8>(end, 0);
  count = 0;
  before = 0;
  tokenFrom = 0;
  tokenTo = 0;
  return readWhole(body) == end;
}

/** This and the functions below give where what they read ends; 0 when it can't be read. */
function readWhole(begin: usize): usize {
  if (load<u8>(begin) != BRACE) return 0;
  let at = readToken(begin + 1);
  if (at != 0 && load<u8>(at++) != COMMA) return 0;
  at = readEvents(at != 0 ? at : begin + 1);
  if (at == 0) return 0;
  if (load<u8>(at) == COMMA) at = readToken(at + 1);
  return at != 0 && load<u8>(at) == CLOSING_BRACE ? at + 1 : 0;
}

function readToken(at: usize): usize {
  if (tokenFrom != 0 || !TOKEN.isAt(at)) return 0;
  tokenFrom = at + TOKEN.length;
  tokenTo = endOf(Chars.Text, tokenFrom);
  return load<u8>(tokenTo) == QUOTE ? tokenTo + 1 : 0;
}

function readEvents(begin: usize): usize {
  if (!EVENTS.isAt(begin)) return 0;
  let at = begin + EVENTS.length - 1;
  do {
    at = readEvent(at + 1);
    if (at == 0) return 0;
  } while (load<u8>(at) == COMMA);
  return load<u8>(at) == CLOSING_BRACKET ? at + 1 : 0;
}

function readEvent(begin: usize): usize {
  if (count == MOST_EVENTS || load<u8>(begin) != BRACE) return 0;
  const event = count++;
  let at = begin;
  let fields: i32 = 0;
  let same: i32 = 0;
  let place: i32 = 0;
  memory.fill(spanOf(event, 0), 0, FIELDS * 8);
  do {
    const field = fieldAt(at + 1, place++);
    if (field < 0) return 0;
    const bit = 1 << field;
    if ((fields & bit) != 0) return 0;
    fields |= bit;
    const from = at + 1 + unchecked(RULES[field]).key.length;
    let to = (before & bit) != 0 ? endOfSame(event, field, from) : 0;
    if (to != 0) same |= bit;
    else to = endOfValue(unchecked(RULES[field]), from);
    if (to == 0) return 0;
    const span = spanOf(event, field);
    store<u32>(span, from as u32);
    store<u32>(span, to as u32, 4);
    at = to + 1;
  } while (load<u8>(at) == COMMA);
  if (event > 0) same |= ~(fields | before) & ALL;
  store<i32>(repeated + (event << 2), same);
  before = fields;
  return (fields & REQUIRED) == REQUIRED && load<u8>(at) == CLOSING_BRACE ? at + 1 : 0;
}

/** The field whose key stands there, most likely that of the same place in the event before; -1: none. */
function fieldAt(at: usize, place: i32): i32 {
  const likely: i32 = load<u8>(order + place);
  if (unchecked(RULES[likely]).key.isAt(at)) return likely;
  for (let field: i32 = 0; field < FIELDS; field++) {
    if (!unchecked(RULES[field]).key.isAt(at)) continue;
    store<u8>(order + place, field as u8);
    return field;
  }
  return -1;
}

function endOfSame(event: i32, field: i32, from: usize): usize {
  const last = valueFrom(event - 1, field);
  const length = (valueTo(event - 1, field) - last) as i32;
  const to = from + length;
  return load<u8>(to) == QUOTE && isSame(from, last, length) ? to : 0;
}

function endOfValue(rule: Rule, from: usize): usize {
  const to = endOf(rule.chars, from);
  const length = (to - from) as i32;
  if (load<u8>(to) != QUOTE || length < rule.least || length > rule.most) return 0;
  const choices = rule.choices;
  return choices === null || isOneOf(choices, from, length) ? to : 0;
}

function isOneOf(choices: Literal[], from: usize, length: i32): bool {
  for (let i = 0; i < choices.length; i++) {
    const choice = unchecked(choices[i]);
    if (choice.length == length && isSame(from, choice.at, length)) return true;
  }
  return false;
}
