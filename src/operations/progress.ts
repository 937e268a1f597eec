import type { Writable } from 'node:stream';
import { MultiBar, type SingleBar } from 'cli-progress';

/** What a long command shows while it runs. */
export interface Progress {
  /** @param done out of `total` of the same unit; `items` is what people count, shown with its rate: the same when absent */
  update: (done: number, items?: number) => void;
  /** Prints a line without disturbing the bar. */
  note(sentence: string): void;
  /** Takes the bar away, or prints the last line. */
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/**
 * A bar with rate and remaining time on a terminal; a line every five seconds elsewhere.
 *
 * @param options `label` names the items; `total` is undefined when no one knows how much there is (a pipe); `startDone` and
 *   `startItems` are what an earlier run did: they count in the bar but not in the rate
 */
export function createProgress(options: {
  stream: Writable & { isTTY?: boolean };
  label: string;
  total: number | undefined;
  startDone?: number;
  startItems?: number;
}): Progress {
  const { stream, label, total, startDone = 0, startItems = 0 } = options;
  const startedAt = performance.now();
  let latest = { done: startDone, items: startItems };

  function figures(): { percent: string; items: string; rate: string; remaining: string } {
    const seconds = Math.max(0.001, (performance.now() - startedAt) / 1000);
    const perSecond = (latest.done - startDone) / seconds;
    const left = total === undefined || perSecond === 0 ? undefined : Math.max(0, total - latest.done) / perSecond;
    return {
      percent: total === undefined ? '' : `${Math.floor((100 * latest.done) / Math.max(1, total))}%`,
      items: `${grouped(latest.items)} ${label}`,
      rate: `${grouped(Math.round((latest.items - startItems) / seconds))}/s`,
      // Nothing once all is done: what follows, such as waiting for figures, tells its own time.
      remaining: left === undefined || left === 0 ? '' : `${clock(left)} left`,
    };
  }

  return stream.isTTY ? barProgress() : lineProgress();

  function barProgress(): Progress {
    const format = total === undefined ? '{items}  {rate}' : '{bar} {percent}  {items}  {rate}  {remaining}';
    const bars = new MultiBar({
      format,
      stream,
      fps: 5,
      gracefulExit: false,
      clearOnComplete: true,
      barsize: 30,
      barCompleteChar: '█',
      barIncompleteChar: '░',
    });
    const bar: SingleBar = bars.create(total ?? 1, 0, figures());
    return {
      update(done, items = done) {
        latest = { done, items };
        bar.update(total === undefined ? 0 : Math.min(done, total), figures());
      },
      note: (sentence) => bars.log(`${sentence}\n`),
      stop: () => bars.stop(),
    };
  }

  function lineProgress(): Progress {
    let lastLine = startedAt;
    function print(): void {
      lastLine = performance.now();
      stream.write(`${Object.values(figures()).filter(Boolean).join('  ')}\n`);
    }
    return {
      update(done, items = done) {
        latest = { done, items };
        if (performance.now() - lastLine >= LINE_EVERY_MS) print();
      },
      note: (sentence) => stream.write(`${sentence}\n`),
      stop: () => {
        if (latest.items > startItems) print();
      },
    };
  }
}

/** A count with thousands separated: `12,345`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** A duration for people: `0:07`, `12:30`, `3:05:00`. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}
