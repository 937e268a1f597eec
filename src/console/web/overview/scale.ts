/** Geometry of bars. Heights are floats: they are only drawn, the amounts that are shown stay exact. */

export interface Scale {
  /** Ticks of the axis, the lowest first; zero is one of them. */
  ticks: number[];
  /** Share of the height from the top, 0 to 1. */
  top: (value: number) => number;
}

const STEPS = [1, 2, 2.5, 5, 10];
const AIM = 4;
/** Amounts have six decimals. */
const SMALLEST = 1e-6;

/** A loss of a smaller share of the highest value hangs below an axis that ends at zero. */
const SMALL_LOSS = 0.02;

/** An axis that holds all values and zero, in about four steps of 1, 2, 2.5 or 5. */
export function scaleOf(values: readonly number[]): Scale {
  const [lowest, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const low = -lowest < high * SMALL_LOSS ? 0 : lowest;
  const rough = (high - low < SMALLEST ? 1 : high - low) / AIM;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((candidate) => candidate * power >= rough * 0.999) ?? 10) * power;
  const [first, last] = [Math.floor(low / step), Math.max(1, Math.ceil(high / step))];
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  const [bottom, ceiling] = [first * step, last * step];
  return { ticks, top: (value) => (ceiling - value) / (ceiling - bottom) };
}
