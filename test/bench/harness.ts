/** One line of the table: a figure of the service, what it is held against, and the goal of their ratio. */
export interface Ratio {
  what: string;
  /** The service's figure, with its unit. */
  ours: string;
  /** What it is held against, with its unit. */
  against: string;
  ratio: number;
  /** From the least to the most of the service's rounds, as a share of their median; absent: one round. */
  spread?: number;
  goal: { atLeast: number } | { atMost: number };
}

/** By the names of the subjects. */
export interface Interleaved<Name extends string> {
  medians: Record<Name, number>;
  spreads: Record<Name, number>;
}

/** A part of the benchmark. `name` selects it on the command line. */
export interface Section<Context> {
  name: string;
  run: (context: Context) => Promise<Ratio[]>;
}

/**
 * Runs every subject once a round, in turns and each round in the opposite order, so that whatever else the machine does
 * hits all of them alike. A first round that counts nowhere warms up.
 *
 * @param subjects each gives one figure a run
 * @returns the median of each subject's figures, and their spreads
 */
export async function interleaved<Name extends string>(
  rounds: number,
  subjects: Record<Name, (round: number) => Promise<number>>,
): Promise<Interleaved<Name>> {
  const names = Object.keys(subjects) as Name[];
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figure = await subjects[name](round);
      if (round > 0) figures.get(name)?.push(figure);
    }
  }
  const each = (of: (own: readonly number[]) => number): Record<Name, number> =>
    Object.fromEntries(names.map((name) => [name, of(figures.get(name) ?? [])])) as Record<Name, number>;
  return { medians: each(median), spreads: each(spread) };
}

/** From the least to the most, as a share of the median. */
export function spread(figures: readonly number[]): number {
  return (Math.max(...figures) - Math.min(...figures)) / median(figures);
}

/** The figure that so many of all figures are no greater than: 0.99 gives the 99th percentile. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? NaN)) / 2;
}

/** The median time of one call, in milliseconds, over `calls` calls one after the other. */
export async function p50(calls: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < calls; i++) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

export function meets({ ratio, goal }: Ratio): boolean {
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

/** The table of all ratios, a line each, with the goal and whether it is met. */
export function ratioTable(ratios: readonly Ratio[]): string {
  const rows = ratios.map((row) => {
    const goal = 'atLeast' in row.goal ? `≥ ${row.goal.atLeast.toFixed(2)}` : `≤ ${row.goal.atMost.toFixed(2)}`;
    const spread = row.spread === undefined ? '' : `${Math.round(row.spread * 100)} %`;
    return [row.what, row.ours, row.against, row.ratio.toFixed(2), spread, goal, meets(row) ? 'pass' : 'FAIL'];
  });
  const all = [['what', 'ours', 'against', 'ratio', 'spread', 'goal', ''], ...rows];
  const widths = [0, 1, 2, 3, 4, 5, 6].map((column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  const [heading = '', ...lines] = all.map(line);
  return [heading, widths.map((width) => '-'.repeat(width)).join('  '), ...lines].join('\n');
}

/** `12,345/s` */
export function perSecond(figure: number): string {
  return `${Math.round(figure).toLocaleString('en-US')}/s`;
}

/** `1.23 ms` */
export function milliseconds(figure: number): string {
  return `${figure.toFixed(2)} ms`;
}
