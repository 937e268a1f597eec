import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { formatDay } from '../shared/days.js';
import { formatAxisMoney, formatMoney } from '../shared/money.js';
import type { DailyAnswer } from './answers.js';
import { SERIES, type Day } from './series.js';

const HEIGHT = 280;

/** Lines of each day's money. It is a picture for the eye: the table below it says the same. */
export function DailyChart({ days, currency }: DailyAnswer) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let plot = draw(element, days, currency);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, days, currency);
    };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [days, currency]);
  return (
    <div ref={box} class="chart" role="img" aria-label="Revenue, refunds, costs, net profit and earnings, by day" />
  );
}

function draw(element: HTMLElement, days: Day[], currency: string): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  const exact = (day: Day | undefined, of: (day: Day) => string): string =>
    day === undefined ? '–' : formatMoney(of(day), currency);
  const dayAt = (ms: number): string =>
    formatDay(new Date(ms).toISOString().slice(0, 10), { month: 'short', day: 'numeric' });
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    ms: 1,
    tzDate: (ms) => uPlot.tzDate(new Date(ms), 'UTC'),
    cursor: { y: false, drag: { x: false, y: false } },
    axes: [
      {
        ...axis,
        space: 70,
        values: (_plot, splits) => splits.map(dayAt),
        incrs: [1, 2, 3, 7, 14, 30, 60].map((n) => n * 86_400_000),
      },
      { ...axis, size: 64, values: (_plot, splits) => splits.map((value) => formatAxisMoney(value, currency)) },
    ],
    series: [
      { label: 'Day', value: (_plot, ms: number | null) => (ms === null ? 'point at the chart' : dayAt(ms)) },
      ...SERIES.map(({ label, colour: name, dash, of }, i) => ({
        label,
        stroke: colour(name),
        width: 2,
        ...(dash !== undefined && { dash }),
        points: { show: days.length < 3 },
        ...(i === 0 && { fill: `${colour(name)}1f` }),
        value: (_plot: uPlot, _value: number, _series: number, index: number | null) =>
          index === null ? '' : exact(days[index], of),
      })),
    ],
  };
  const xs = days.map(({ date }) => Date.parse(date));
  return new uPlot(options, [xs, ...SERIES.map(({ of }) => days.map((day) => Number(of(day))))], element);
}
