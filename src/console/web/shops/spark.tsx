import { formatDay } from '../shared/days.js';
import { scaleOf } from '../overview/scale.js';

const [WIDTH, HEIGHT] = [150, 36];

/** The earnings of days in small: which way they go, not how much they are. */
export function Spark({ from, to, values }: { from: string; to: string; values: readonly string[] }) {
  const numbers = values.map(Number);
  const { top } = scaleOf(numbers);
  const slot = Math.min(6, WIDTH / Math.max(1, values.length));
  const losses = numbers.filter((value) => value < 0).length;
  const label = `Earnings by day, ${formatDay(from)} to ${formatDay(to)}: ${values.length} days, ${losses} with a loss`;
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {numbers.map((value, i) => {
        const [start, end] = [top(Math.max(0, value)) * HEIGHT, top(Math.min(0, value)) * HEIGHT];
        return (
          <rect
            key={i}
            class={value < 0 ? 'loss' : 'profit'}
            x={i * slot}
            width={slot * 0.68}
            y={start}
            height={value === 0 ? 0 : Math.max(1, end - start)}
          />
        );
      })}
    </svg>
  );
}
