import { Histogram, type Registry } from 'prom-client';

export interface Tally {
  labels: Record<string, string>;
  /** By bucket, and behind them what is above all; not cumulative. */
  counts: number[];
  sum: number;
}

export interface TalliedOptions {
  name: string;
  help: string;
  labelNames: string[];
  /** Upper bounds, ascending. */
  buckets: readonly number[];
  register: Registry;
}

/** The library's own histograms keep labels apart that all values share. */
const NONE = { sharedLabels: {} };

/**
 * A histogram for events that happen thousands of times a second: the caller keeps the tally of its labels, while the library looks it up
 * by all labels each time, which took 3 µs.
 */
export class TalliedHistogram extends Histogram {
  readonly #tallies: Tally[] = [];
  readonly #buckets: readonly number[];
  readonly #about: { name: string; help: string };

  constructor({ name, help, labelNames, buckets, register }: TalliedOptions) {
    super({ name, help, labelNames, buckets: [...buckets], registers: [register] });
    this.#buckets = buckets;
    this.#about = { name, help };
  }

  open(labels: Record<string, string>): Tally {
    const tally = { labels, counts: Array.from({ length: this.#buckets.length + 1 }, () => 0), sum: 0 };
    this.#tallies.push(tally);
    return tally;
  }

  add(tally: Tally, value: number): void {
    let at = 0;
    while (value > (this.#buckets[at] ?? Infinity)) at++;
    tally.counts[at] = (tally.counts[at] ?? 0) + 1;
    tally.sum += value;
  }

  /** What the registry and the cluster ask of a histogram. */
  getForPromString() {
    const { name, help } = this.#about;
    const values = this.#tallies.flatMap(({ labels, counts, sum }) => {
      let below = 0;
      const buckets = counts.map((count, i) => {
        below += count;
        return {
          metricName: `${name}_bucket`,
          labels: { ...labels, le: this.#buckets[i] ?? '+Inf' },
          value: below,
          ...NONE,
        };
      });
      const total = { metricName: `${name}_sum`, labels, value: sum, ...NONE };
      return [...buckets, total, { metricName: `${name}_count`, labels, value: below, ...NONE }];
    });
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values });
  }
}
