import { copy } from './bytes';

/**
 * Compresses in the format of Snappy (https://github.com/google/snappy/blob/main/format_description.txt), without the
 * length that stands before a whole: what several calls have written may stand one behind the other.
 */

const SLOT_BITS: i32 = 12;
/** Of each hash of four bytes, where they were met last: more than `before` in the input that is being compressed. */
const slots: usize = memory.data(4 << SLOT_BITS);
let before: u32 = 0;
const MOST_SERIAL: u32 = 0xf000_0000;

const SHORTEST: i32 = 4;
const LONGEST_COPY: i32 = 64;
/** Offsets of two bytes reach so far. */
const MOST_OFFSET: u32 = 0xffff;
/** A copy of up to eleven bytes from nearer than this takes two bytes instead of three. */
const NEAR: u32 = 2048;

/** Gives where the output ends, which is at most a sixth and 32 bytes longer than the input. */
export function compress(from: usize, length: i32, to: usize): usize {
  if (before > MOST_SERIAL) {
    memory.fill(slots, 0, 4 << SLOT_BITS);
    before = 0;
  }
  const first = before + 1;
  const end = from + length;
  let literal = from;
  let at = from;
  while (at + SHORTEST <= end) {
    const word = load<u32>(at);
    const slot = slots + ((((word * 0x9e3779b1) >>> (32 - SLOT_BITS)) as usize) << 2);
    const known = load<u32>(slot);
    const serial = first + ((at - from) as u32);
    store<u32>(slot, serial);
    const offset = serial - known;
    if (known >= first && offset <= MOST_OFFSET && load<u32>(at - offset) == word) {
      const same = sameLength(at, at - offset, (end - at) as i32);
      if (literal < at) to = writeLiteral(to, literal, (at - literal) as i32);
      to = writeCopies(to, offset, same);
      at += same;
      literal = at;
    } else {
      // The longer nothing was found, the larger the steps.
      at += 1 + ((at - literal) >> 5);
    }
  }
  before += length;
  return literal < end ? writeLiteral(to, literal, (end - literal) as i32) : to;
}

/** How many bytes are the same, the first four of which are known to be. */
function sameLength(one: usize, other: usize, most: i32): i32 {
  for (let same = SHORTEST; same < most; same += 16) {
    const unlike = i8x16.bitmask(i8x16.ne(v128.load(one + same), v128.load(other + same)));
    if (unlike != 0) return min(same + ctz(unlike), most);
  }
  return most;
}

function writeLiteral(to: usize, from: usize, length: i32): usize {
  const last = length - 1;
  if (last < 60) {
    store<u8>(to++, (last << 2) as u8);
  } else if (last < 0x100) {
    store<u16>(to, ((last << 8) | (60 << 2)) as u16);
    to += 2;
  } else {
    // Two or three bytes of length; the byte beyond is written over.
    const isLong = last > 0xffff;
    store<u32>(to, (last << 8) | ((isLong ? 62 : 61) << 2));
    to += isLong ? 4 : 3;
  }
  return copy(to, from, length);
}

function writeCopies(to: usize, offset: u32, length: i32): usize {
  while (length > 0) {
    const part = min(length, LONGEST_COPY);
    if (part >= 4 && part <= 11 && offset < NEAR) {
      store<u8>(to, (((offset >> 8) << 5) | ((part - 4) << 2) | 1) as u8);
      store<u8>(to, offset as u8, 1);
      to += 2;
    } else {
      store<u8>(to, (((part - 1) << 2) | 2) as u8);
      store<u16>(to, offset as u16, 1);
      to += 3;
    }
    length -= part;
  }
  return to;
}
