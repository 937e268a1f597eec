/**
 * The clocks of one time zone: `offsets[i]` seconds ahead of UTC from `starts[i]`, in seconds since 1970, until the next start. The
 * first one holds from ever, whatever its start says. Pure numbers, so that queries can be given them.
 */
export interface Clock {
  starts: readonly number[];
  offsets: readonly number[];
}

/** Milliseconds that a clock is ahead of UTC at an instant in milliseconds. */
export type OffsetAt = (ms: number) => number;

/**
 * The next instant mostly lies between the same two changes as the last: 15 ns a day then, and 155 ns where each has
 * to be searched; a cache of the offsets of days took 107 to 171.
 */
export function offsetsOf({ starts, offsets }: Clock): OffsetAt {
  const [first = 0] = offsets;
  let from = -Infinity;
  let until = starts.length > 1 ? (starts[1] ?? Infinity) * 1000 : Infinity;
  let offset = first * 1000;
  return (ms) => {
    if (ms >= from && ms < until) return offset;
    let low = 0;
    let high = starts.length;
    // The last start that is not after the instant; the first one is before every instant.
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? Infinity) * 1000 <= ms) low = middle;
      else high = middle;
    }
    from = low === 0 ? -Infinity : (starts[low] ?? 0) * 1000;
    until = (starts[low + 1] ?? Infinity) * 1000;
    offset = (offsets[low] ?? 0) * 1000;
    return offset;
  };
}

/** The part of a clock that holds from one instant to another, both in seconds. */
export function cutClock({ starts, offsets }: Clock, from: number, until: number): Clock {
  const next = starts.findIndex((start, i) => i > 0 && start > from);
  const first = next === -1 ? starts.length - 1 : next - 1;
  const last = starts.findIndex((start, i) => i > first && start >= until);
  const end = last === -1 ? starts.length : last;
  return { starts: starts.slice(first, end), offsets: offsets.slice(first, end) };
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';

/** A number of base 60 in minutes, such as `-3tofL.w`, in seconds. */
function seconds(text: string): number {
  const [, sign, whole = '', part = ''] = /^(-?)([\da-zA-X]*)(?:\.([\da-zA-X]*))?$/.exec(text) ?? [];
  if (whole + part === '') throw new RangeError(`"${text.slice(0, 32)}" is no number of a zone`);
  const minutes = Array.from(whole).reduce((sum, digit) => sum * 60 + DIGITS.indexOf(digit), 0);
  const seconds = Array.from(part).reduce((sum, digit, i) => sum + DIGITS.indexOf(digit) * 60 ** -i, 0);
  return Math.round((minutes * 60 + seconds) * (sign === '-' ? -1 : 1));
}

/**
 * A zone as `moment-timezone` packs it: `name|abbreviations|offsets west of UTC|index of each span|minutes from change to change`.
 * Changes that change no offset, as from one name of a clock to another, are left out. Throws a RangeError.
 */
export function unpackZone(packed: string): { name: string; clock: Clock } {
  const [name = '', , west = '', indexes = '', changes = ''] = packed.split('|');
  const east = west.split(' ').map((text) => -seconds(text));
  const starts: number[] = [0];
  const offsets: number[] = [];
  let at = 0;
  const minutes = changes === '' ? [] : changes.split(' ');
  Array.from(indexes).forEach((digit, i) => {
    if (i > 0) at += seconds(minutes[i - 1] ?? '');
    const offset = east[DIGITS.indexOf(digit)];
    if (offset === undefined) throw new RangeError(`the zone "${name.slice(0, 32)}" has a clock without an offset`);
    if (offset === offsets.at(-1)) return;
    if (i > 0) starts.push(at);
    offsets.push(offset);
  });
  if (offsets.length === 0) throw new RangeError(`the zone "${name.slice(0, 32)}" has no clock`);
  // -0 of UTC.
  return { name, clock: { starts, offsets: offsets.map((offset) => offset + 0) } };
}
