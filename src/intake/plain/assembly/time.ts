const DAY_MS: i64 = 86_400_000;
/** What no timestamp is. */
export const NO_TIME: i64 = i64.MIN_VALUE;

/**
 * The instant of an event in milliseconds since 1970, of 24 bytes that read `2026-03-01T12:00:00.000Z`, as browsers write
 * it; the rules are those of `eventTime` in `src/domain/events`. {@link NO_TIME} for any other form too, which that may know.
 */
export function eventTimeAt(from: usize, receivedAt: i64): i64 {
  const isForm =
    load<u8>(from, 4) == 0x2d &&
    load<u8>(from, 7) == 0x2d &&
    load<u8>(from, 10) == 0x54 &&
    load<u8>(from, 13) == 0x3a &&
    load<u8>(from, 16) == 0x3a &&
    load<u8>(from, 19) == 0x2e &&
    load<u8>(from, 23) == 0x5a;
  if (!isForm) return NO_TIME;
  const year = two(from) * 100 + two(from + 2);
  const month = two(from + 5);
  const day = two(from + 8);
  const hour = two(from + 11);
  const minute = two(from + 14);
  const second = two(from + 17);
  const ms = two(from + 20) * 10 + digit(from + 22);
  const worst = min(min(min(two(from), two(from + 2)), min(month, day)), min(min(hour, minute), min(second, ms)));
  if (worst < 0 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return NO_TIME;
  if (hour > 23 || minute > 59 || second > 59) return NO_TIME;
  const at = (((daysBefore(year, month, day) * 24 + hour) * 60 + minute) as i64) * 60_000 + second * 1_000 + ms;
  if (at > receivedAt + DAY_MS || at < receivedAt - 30 * DAY_MS) return NO_TIME;
  return min(at, receivedAt);
}

/** Far below zero when it is none. */
function digit(at: usize): i32 {
  const value = (load<u8>(at) as i32) - 0x30;
  return value >= 0 && value <= 9 ? value : -1_000;
}

function two(at: usize): i32 {
  return digit(at) * 10 + digit(at + 1);
}

function daysOf(year: i32, month: i32): i32 {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/** Days from 1970-01-01, by years that begin in March. */
function daysBefore(year: i32, month: i32, day: i32): i32 {
  const years = month > 2 ? year : year - 1;
  const months = month > 2 ? month - 3 : month + 9;
  const leapDays = years / 4 - years / 100 + years / 400;
  return years * 365 + leapDays + (months * 153 + 2) / 5 + day - 1 - 719_468;
}
