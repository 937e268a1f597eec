import { formatAxisMoney } from '../shared/money.js';
import type { Scale } from './scale.js';

/** What the height of the bars means. */
export function Axis({ scale, currency }: { scale: Scale; currency: string }) {
  return (
    <svg class="axis" width="52" height="100%" aria-hidden="true">
      {scale.ticks.map((tick) => (
        <text key={tick} x="46" y={`${scale.top(tick) * 100}%`} dy="4" text-anchor="end">
          {formatAxisMoney(tick, currency)}
        </text>
      ))}
    </svg>
  );
}
