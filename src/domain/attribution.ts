import { directChannel, internalChannel } from './events/channel.js';

/** How the credit for an order is given to the touches before it. */
export type AttributionModel = 'last_touch' | 'first_touch' | 'linear';

export const attributionModels: readonly AttributionModel[] = ['last_touch', 'first_touch', 'linear'];

/** How far before an order a touch may lie, in milliseconds: 30 days. */
export const lookBackMs = 30 * 86_400_000;

/**
 * How long after `placed_at` a purchase event may still set the time of its order, in milliseconds: a day. The visitor's
 * clock and the shop's differ, and some platforms stamp an order when its checkout began.
 */
export const clockSlackMs = 86_400_000;

/** The channel of orders that no touch explains. */
export const unattributedChannel = 'unattributed';

/** A visitor's arrival. One per arrival, not per page view: `linear` gives every touch the same credit. */
export interface Touch {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly channel: string;
}

/** An exact part of an order: `numerator` / `denominator` of it. The shares of an order add up to one. */
export interface Share {
  readonly channel: string;
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A channel's part of an amount: a decimal string with two to six decimals. */
export interface ChannelAmount {
  readonly channel: string;
  readonly amount: string;
}

/**
 * The instant up to which touches count for an order: `placedAt`, or its earliest purchase event where that is later, by
 * {@link clockSlackMs} at most. All in milliseconds since 1970.
 */
export function orderInstant(placedAt: number, purchases: readonly number[]): number {
  const purchase = purchases.reduce((earliest, at) => Math.min(earliest, at), Infinity);
  if (purchase === Infinity) return placedAt;
  return Math.max(placedAt, Math.min(purchase, placedAt + clockSlackMs));
}

/**
 * Gives an order placed at `orderAt` (milliseconds since 1970) to the channels of its visitor's touches, in any order
 * and from any time; both ends of the look-back count. Touches of the channel `internal` are passed over, those of
 * `direct` count only when there are no others. `last_touch` and `first_touch` take the nearest and the farthest touch,
 * `linear` all of them in equal parts. Touches at the same instant stand in the order of their channel names. Returns
 * one share a channel, ordered by its name; `unattributed` when no touch counts.
 */
export function attribute(touches: readonly Touch[], orderAt: number, model: AttributionModel): Share[] {
  const counted = touches.filter(
    ({ at, channel }) => channel !== internalChannel && at <= orderAt && at >= orderAt - lookBackMs,
  );
  const telling = counted.filter(({ channel }) => channel !== directChannel);
  const credited = (telling.length > 0 ? telling : counted).sort((a, b) => a.at - b.at || byName(a, b));
  const chosen = model === 'linear' ? credited : credited.slice(...(model === 'last_touch' ? [-1] : [0, 1]));
  if (chosen.length === 0) return [{ channel: unattributedChannel, numerator: 1n, denominator: 1n }];
  const counts = new Map<string, bigint>();
  for (const { channel } of chosen) counts.set(channel, (counts.get(channel) ?? 0n) + 1n);
  return [...counts]
    .map(([channel, numerator]) => ({ channel, numerator, denominator: BigInt(chosen.length) }))
    .sort(byName);
}

/**
 * Splits an amount (a decimal string of at most six decimals, negative with a leading `-`) by shares, exactly: the
 * parts add up to the amount to the last digit. Each part is rounded towards zero at the sixth decimal; the millionths
 * left over go one each to the parts that lost most, those of equal loss in the order of their channel names. Keeps the
 * order of `shares`. Throws a `RangeError` when the amount is no such decimal or the shares do not add up to one.
 */
export function splitAmount(amount: string, shares: readonly Share[]): ChannelAmount[] {
  const micros = toMicros(amount);
  const common = shares.reduce((product, { denominator }) => leastCommonMultiple(product, denominator), 1n);
  const weights = shares.map(({ numerator, denominator }) => numerator * (common / denominator));
  const isWhole = weights.reduce((sum, weight) => sum + weight, 0n) === common;
  if (!isWhole || weights.some((weight) => weight < 0n)) throw new RangeError('The shares do not add up to one.');
  const size = micros < 0n ? -micros : micros;
  const parts = shares.map(({ channel }, at) => {
    const exact = size * (weights[at] ?? 0n);
    return { channel, at, whole: exact / common, lost: exact % common };
  });
  const left = Number(size - parts.reduce((sum, { whole }) => sum + whole, 0n));
  const losers = parts.toSorted((a, b) => (a.lost === b.lost ? byName(a, b) : a.lost > b.lost ? -1 : 1));
  const raised = new Set(losers.slice(0, left).map(({ at }) => at));
  return parts.map(({ channel, at, whole }) => {
    const part = raised.has(at) ? whole + 1n : whole;
    return { channel, amount: fromMicros(micros < 0n ? -part : part) };
  });
}

function byName(a: { readonly channel: string }, b: { readonly channel: string }): number {
  return a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0;
}

function toMicros(amount: string): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new RangeError('The amount is not a decimal of at most six decimals.');
  const micros = BigInt(whole + fraction.padEnd(6, '0'));
  return sign === '-' ? -micros : micros;
}

function fromMicros(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${fraction}`;
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
