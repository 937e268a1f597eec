/** Gives whole numbers from 0 to below a bound. */
export type Draw = (below: number) => number;

/** The same numbers for the same seed; seeds that follow each other have numbers that are nothing like each other. */
export function drawFrom(seed: number): Draw {
  let state = Math.imul(seed ^ (seed >>> 7), 0x9e3779b1);
  state = Math.imul(state ^ (state >>> 15), 0x85ebca6b);
  state = (state ^ (state >>> 13)) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One of those that there are so many days before today, by their weights. */
export function pick<One extends { weight: number; since?: number }>(
  all: readonly One[],
  ago: number,
  draw: Draw,
): One {
  const there = all.filter(({ since = Infinity }) => ago <= since);
  let left = draw(there.reduce((sum, { weight }) => sum + weight, 0));
  const found = there.find(({ weight }) => (left -= weight) < 0);
  if (found === undefined) throw new RangeError('none is there on that day');
  return found;
}
