/** Loops over bytes, sixteen at a time: they read, and `copy` writes, up to fifteen bytes beyond what they are asked for. */

const STEP: i32 = 16;

export function isSame(one: usize, other: usize, length: i32): bool {
  for (; length >= STEP; length -= STEP, one += STEP, other += STEP) {
    if (!i8x16.all_true(i8x16.eq(v128.load(one), v128.load(other)))) return false;
  }
  const unlike = ~i8x16.bitmask(i8x16.eq(v128.load(one), v128.load(other)));
  return (unlike & ((1 << length) - 1)) == 0;
}

/** Gives where the copy ends. */
export function copy(to: usize, from: usize, length: i32): usize {
  for (let at: i32 = 0; at < length; at += STEP) v128.store(to + at, v128.load(from + at));
  return to + length;
}

/** What a value may hold. */
export enum Chars {
  Digits,
  /** The characters of an event id. */
  Name,
  /** Of an id: no text that may be an address of mail or a number of a phone. */
  Id,
  /** ASCII without controls, quotes and backslashes. */
  Text,
}

/** Where the first byte stands that is none of these characters. Something that is none has to follow. */
export function endOf(chars: Chars, at: usize): usize {
  let others = othersIn(v128.load(at), chars);
  while (others == 0) {
    at += STEP;
    others = othersIn(v128.load(at), chars);
  }
  return at + ctz(others);
}

function othersIn(v: v128, chars: Chars): i32 {
  if (chars == Chars.Digits) return ~i8x16.bitmask(isBetween(v, 0x30, 10)) & 0xffff;
  if (chars == Chars.Name) return ~i8x16.bitmask(isName(v)) & 0xffff;
  return i8x16.bitmask(chars == Chars.Id ? v128.or(isNoText(v), mayBePersonal(v)) : isNoText(v));
}

function isBetween(v: v128, first: i8, count: i8): v128 {
  return i8x16.lt_u(i8x16.sub(v, i8x16.splat(first)), i8x16.splat(count));
}

function isByte(v: v128, byte: i8): v128 {
  return i8x16.eq(v, i8x16.splat(byte));
}

/** Letters, digits and `_ - . :`. */
function isName(v: v128): v128 {
  const isLetter = isBetween(v128.or(v, i8x16.splat(0x20)), 0x61, 26);
  const isDigitOrColon = isBetween(v, 0x30, 11);
  return v128.or(v128.or(isLetter, isDigitOrColon), v128.or(isBetween(v, 0x2d, 2), isByte(v, 0x5f)));
}

/** Signed, bytes beyond ASCII are below zero. */
function isNoText(v: v128): v128 {
  const isControl = v128.or(i8x16.lt_s(v, i8x16.splat(0x20)), isByte(v, 0x7f));
  return v128.or(isControl, v128.or(isByte(v, 0x22), isByte(v, 0x5c)));
}

/** `@ % +`. */
function mayBePersonal(v: v128): v128 {
  return v128.or(isByte(v, 0x40), v128.or(isByte(v, 0x25), isByte(v, 0x2b)));
}
